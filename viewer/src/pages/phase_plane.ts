// Slides about singular points, in the plane of a coordinate and its rate [Liu 2007, Fig. 4].

import { range_of } from '../axes';
import { number } from '../format';
import { plot, type Line, type Mark, type Point } from '../plot';
import { real, reals, text, type Dictionary } from './json';

const into_paradox = ['reached the paradox', 'near a singular point'];

export function phase_plane(slides: Dictionary[], points: Dictionary[], dof: string): SVGSVGElement {
  const course = (slide: Dictionary): Point[] => {
    const rate = reals(slide['rate']);
    return reals(slide['position']).map((x, k) => [x ?? 0, rate[k] ?? 0]);
  };
  const lines: Line[] = slides.map((slide) => ({
    points: course(slide),
    kind: into_paradox.includes(text(slide['end'])) ? 'slide-enters' : 'slide-passes',
    title: text(slide['end']),
  }));
  const marks: Mark[] = points.map((point) => ({
    at: [real(point['position']) ?? 0, real(point['rate']) ?? 0],
    kind: 'singular-point',
    shape: 'diamond',
    title: `${text(point['kind'])} at ${number(real(point['position']))}, ${number(real(point['rate']))}`,
  }));
  const starts: Mark[] = lines.map((line) => ({
    at: line.points[0]!,
    kind: 'slide-start',
    shape: 'dot',
    title: line.title ?? '',
  }));
  const ends = [...lines.flatMap((line) => line.points), ...marks.map((mark) => mark.at)];
  return plot({
    x: range_of(ends.map((p) => p[0])),
    y: range_of(ends.map((p) => p[1])),
    x_label: `${dof}, m or rad`,
    y_label: 'rate, 1/s of it',
    lines,
    marks: [...starts, ...marks],
    width: 420,
    height: 300,
    label: `${slides.length} slides about ${points.length} singular points, from their dots on`,
  });
}
