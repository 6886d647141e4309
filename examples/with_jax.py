"""Runs in JAX: a bridge of ten lines. The ball of ball_into_cup.py, thrown by jax.grad."""
import sys

try:
    import jax
except ImportError:
    sys.exit(print("JAX is not installed"))

import jax.numpy as jnp
import routh
from ball_into_cup import cup, model, moment, place, throw

jax.config.update("jax_enable_x64", True)


def both(speed):
    found = routh.gradient(model, place, throw, moment, at=speed)
    return found.value, found.derivative


def forward(speed):
    size = len(throw)
    return jax.pure_callback(both, (jax.ShapeDtypeStruct((len(place),), jnp.float64),
                                    jax.ShapeDtypeStruct((len(place), size), jnp.float64)), speed)


run = jax.custom_vjp(lambda speed: forward(speed)[0])
run.defvjp(forward, lambda derivative, cotangent: (cotangent @ derivative,))

speed = jnp.array([1.0, 0.0])
for _ in range(20):
    jacobian = jax.jacrev(run)(speed)
    speed = speed - jnp.linalg.solve(jacobian, run(speed) - cup)
print("thrown with", speed, "m/s; misses by", jnp.abs(run(speed) - cup).max(), "m")
assert jnp.abs(run(speed) - cup).max() < 1e-6
