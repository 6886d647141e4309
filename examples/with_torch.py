"""Runs in PyTorch: a bridge of ten lines. The ball of ball_into_cup.py, thrown by torch.optim."""
import sys

try:
    import torch
except ImportError:
    sys.exit(print("PyTorch is not installed"))

import routh
from ball_into_cup import cup, model, moment, place, throw


class Throw(torch.autograd.Function):
    @staticmethod
    def forward(ctx, speed):
        value, ctx.pull = routh.vjp(model, place, throw, speed.detach().numpy(), until=moment)
        return torch.from_numpy(value)

    @staticmethod
    def backward(ctx, cotangent):
        return torch.from_numpy(ctx.pull(cotangent.numpy()))


speed = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.LBFGS([speed], max_iter=50, tolerance_change=1e-12)


def closure():
    optimizer.zero_grad()
    loss = torch.sum((Throw.apply(speed) - torch.from_numpy(cup))**2)
    loss.backward()
    return loss


optimizer.step(closure)
print("thrown with", speed.detach().numpy(), "m/s; misses by", float(closure())**0.5, "m")
assert closure() < 1e-8
