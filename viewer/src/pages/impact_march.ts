// The way through an impact of several contacts: the normal velocity of each against the normal impulse of all.

import { range_of } from '../axes';
import { plot, type Line, type Mark, type Point } from '../plot';
import type { MarchPoint, Several } from './impact_data';

/** More contacts than this share colours. */
const colours = 8;

const does = (point: MarchPoint, contact: number) =>
  point.stage[contact] + (point.slip[contact] === 'none' ? '' : `, ${point.slip[contact]}`);

export function march_plot(answer: Several): SVGSVGElement | null {
  const path = answer.path;
  if (path.length < 2) return null;
  const given = path.map((point) => point.impulse.reduce((sum, impulse) => sum + (impulse[0] ?? 0), 0));
  const course = (contact: number): Point[] => path.map((point, k) => [given[k]!, point.velocity[contact]?.[0] ?? 0]);
  const lines: Line[] = answer.contacts.map((contact, c) => ({
    points: course(c),
    kind: 'normal-velocity',
    colour: `var(--series-${(c % colours) + 1})`,
    title: contact.name,
  }));
  const marks: Mark[] = answer.contacts.flatMap((contact, c) =>
    path.flatMap((point, k): Mark[] =>
      k > 0 && does(point, c) !== does(path[k - 1]!, c)
        ? [
            {
              at: lines[c]!.points[k]!,
              kind: 'normal-velocity',
              colour: `var(--series-${(c % colours) + 1})`,
              shape: 'dot',
              title: `${contact.name}: ${does(point, c)}`,
            },
          ]
        : [],
    ),
  );
  return plot({
    x: range_of(given, 0.03),
    y: range_of([0, ...lines.flatMap((line) => line.points.map((p) => p[1]))]),
    x_label: 'normal impulse of all, N s',
    y_label: 'normal velocity, m/s',
    lines,
    marks,
    width: 420,
    label: `${answer.title}: normal velocities of ${answer.contacts.length} contacts on the way through the impact`,
  });
}
