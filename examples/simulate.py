"""A machine through its impacts, step by step: run to a time, look, push, and go on. The twin of simulate.cpp."""
import routh

model = routh.Model.from_file("examples/kane.yaml")
simulator = routh.Simulator(model)
simulator.advance(1.0)
for event in simulator.events:
    if event.kind == "impact":
        print(f"{event.time:.6f} s: impact, {event.energy_change:+.6f} J")

simulator.force = [0, 5]  # [N m] at the lower joint, from now on
simulator.advance(1.5)
for contact in simulator.contacts:
    print(f"{contact.name} {contact.mode}, normal force {contact.force[0]:.3f} N")
print(f"{simulator.status}; energy balance {simulator.energy.balance:.1e} J")
