"""A study that the tests of `routh sweep` share (method, samples, table), and the command."""
from support.program import run

ROUGH = """
study: 1
name: a rough contact
problem: {delassus: [[1.6, 1.2], [1.2, 3.4]], contact_velocity: [-0.5, 2], friction: 0.3, restitution: 0.5}
vary:
  friction: {from: -0.1, to: 1}
  restitution: {from: 0, to: 1}
  contact_velocity[1]: {mean: 0, std: 1}
sampling: {method: %s, samples: %d, seed: 4}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.9]},
    {histogram: {from: 0, to: 0.5, bins: 5}}]}
  sticks: mode == stick or mode == stick_in_compression
  mode: mode
  unified: {value: unified.contact_velocity.n, reduce: mean}
table: %s
"""


def sweep(*arguments, **changes):
    return run("sweep", *arguments, **changes)
