// The cone of a contact in space as an object to turn: t1 and t2 in the plane, the normal up.

import {
  Box3,
  BufferGeometry,
  CircleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  Spherical,
  Vector3,
} from 'three';
import { el } from '../dom';
import { make_view, type View3d } from '../scene3d';
import { colour, on_theme_change } from '../theme';
import { tick_labels } from '../axes';
import { axis_ticks, faces, length, reach, type Space } from './cone';

interface Label {
  at: Vector3;
  element: HTMLElement;
}

/** Contact vectors are normal first; the view has the normal up, along z. */
const place = (v: number[]) => new Vector3(v[1], v[2] ?? 0, v[0]);

export function cone_view(space: Space, name: string): HTMLElement {
  const container = el('div', {
    class: 'scene cone-scene',
    tabindex: 0,
    role: 'group',
    'aria-label': `${space.title}, ${name}. Arrow keys turn it, plus and minus zoom, Home resets.`,
  });
  // A view needs its size, which the container has only once it is part of the page.
  queueMicrotask(() => {
    const view = make_view(container, { planar: false, up: [0, 0, 1], label: `${space.title}: ${name}` });
    if (view) fill(view, container, space);
  });
  return container;
}

function fill(view: View3d, container: HTMLElement, space: Space): void {
  const size = reach(space);
  const layer = el('div', { class: 'scene-labels', 'aria-hidden': 'true' });
  container.append(layer);
  let labels: Label[] = [];
  let objects = new Group();
  const draw = () => {
    view.scene.remove(objects);
    objects = new Group();
    labels = [];
    layer.replaceChildren();
    const label = (at: Vector3, text: string, kind: string) => {
      const element = el('span', { class: `scene-label ${kind}` }, text);
      layer.append(element);
      labels.push({ at, element });
    };
    add_axes(objects, size, space.unit, label);
    add_cone(objects, space, size);
    add_vectors(objects, space, size, label);
    view.scene.add(objects);
    view.request();
  };
  draw();
  on_theme_change(draw);
  view.before_render = () => place_labels(view, container, labels);
  const deepest = Math.min(-0.25, ...objects_ends(space, size).map((v) => v.z));
  view.frame(
    new Box3(new Vector3(-0.72, -0.72, 0.8 * deepest), new Vector3(0.72, 0.72, 0.95)),
    new Vector3(0.75, -1, 0.42),
  );
  listen_to_keys(view, container);
  // The wheel belongs to the page until the reader has chosen the picture.
  view.controls.enableZoom = false;
  container.addEventListener('focusin', () => (view.controls.enableZoom = true));
  container.addEventListener('focusout', () => (view.controls.enableZoom = false));
  container.addEventListener('pointerdown', () => container.focus({ preventScroll: true }));
}

function objects_ends(space: Space, size: number): Vector3[] {
  const ends = space.rays.map((ray) => place(ray).divideScalar(size));
  if (space.slip) ends.push(place(space.slip).divideScalar(size));
  if (space.free && length(space.free) > 0) ends.push(place(space.free).setLength(0.8));
  return ends;
}

function add_axes(
  group: Group,
  size: number,
  unit: string,
  label: (at: Vector3, text: string, kind: string) => void,
): void {
  const quantity = unit === 'N' ? 'force' : 'acceleration';
  const axes: [Vector3, string][] = [
    [new Vector3(1, 0, 0), `t1, ${unit}`],
    [new Vector3(0, 1, 0), `t2, ${unit}`],
    [new Vector3(0, 0, 1), `normal ${quantity}, ${unit}`],
  ];
  const material = new LineBasicMaterial({ color: new Color(colour('--muted')) });
  const values = axis_ticks(size);
  const texts = tick_labels(values);
  for (const [direction, name] of axes) {
    const from = direction.z === 1 ? -0.25 : -1.1;
    group.add(
      new Line(
        new BufferGeometry().setFromPoints([
          direction.clone().multiplyScalar(from),
          direction.clone().multiplyScalar(1.15),
        ]),
        material,
      ),
    );
    label(direction.clone().multiplyScalar(1.25), name, 'axis');
    const side = direction.x === 1 ? new Vector3(0, 0.02, 0) : new Vector3(0.02, 0, 0);
    const points: Vector3[] = [];
    values.forEach((value, i) => {
      if (value / size < from) return;
      const at = direction.clone().multiplyScalar(value / size);
      points.push(at.clone().add(side), at.clone().sub(side));
      label(at, texts[i]!, direction.z === 1 ? 'tick normal' : 'tick');
    });
    group.add(new LineSegments(new BufferGeometry().setFromPoints(points), material));
  }
  const plane = new Mesh(
    new CircleGeometry(1.1, 64),
    new MeshBasicMaterial({
      color: new Color(colour('--grid')),
      transparent: true,
      opacity: 0.45,
      side: DoubleSide,
      depthWrite: false,
    }),
  );
  plane.renderOrder = 1;
  group.add(plane);
}

function add_cone(group: Group, space: Space, size: number): void {
  const all = faces(space.rays);
  for (const below of [false, true]) {
    const part = all.filter((face) => face.below === below);
    if (part.length === 0) continue;
    const points = part.flatMap((face) => [
      0,
      0,
      0,
      ...place(face.a).divideScalar(size).toArray(),
      ...place(face.b).divideScalar(size).toArray(),
    ]);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
    geometry.computeVertexNormals();
    const material = new MeshLambertMaterial({
      color: new Color(colour(below ? '--bad' : '--stick')),
      transparent: true,
      opacity: 0.55,
      side: DoubleSide,
      depthWrite: false,
    });
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = 2;
    group.add(mesh);
    const rim = part.flatMap((face) => [place(face.a).divideScalar(size), place(face.b).divideScalar(size)]);
    group.add(
      new LineSegments(
        new BufferGeometry().setFromPoints(rim),
        new LineBasicMaterial({ color: new Color(colour(below ? '--bad' : '--stick')) }),
      ),
    );
  }
}

function add_vectors(
  group: Group,
  space: Space,
  size: number,
  label: (at: Vector3, text: string, kind: string) => void,
): void {
  if (space.slip) {
    const end = place(space.slip).divideScalar(size);
    group.add(arrow(end, colour('--slip')));
    label(end.clone().multiplyScalar(1.08), 'slip', 'slip');
  }
  if (space.free && length(space.free) > 0) {
    const end = place(space.free).setLength(0.8);
    group.add(arrow(end, colour('--impulse')));
    const need = new BufferGeometry().setFromPoints([new Vector3(), end.clone().negate()]);
    group.add(new Line(need, new LineBasicMaterial({ color: new Color(colour('--impulse')) })));
    label(end.clone().multiplyScalar(1.1), 'f', 'free');
    label(end.clone().multiplyScalar(-1.1), '−f', 'free');
  }
}

/** A shaft with a head, from the origin. */
function arrow(end: Vector3, shade: string): Group {
  const reach = end.length();
  const head = Math.min(0.12, 0.4 * reach);
  const material = new MeshLambertMaterial({ color: new Color(shade) });
  const shaft = new Mesh(
    new CylinderGeometry(0.012, 0.012, reach - head, 12).translate(0, 0.5 * (reach - head), 0),
    material,
  );
  const tip = new Mesh(new ConeGeometry(0.035, head, 16).translate(0, reach - 0.5 * head, 0), material);
  const group = new Group();
  group.add(shaft, tip);
  group.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), end.clone().normalize()));
  return group;
}

/** Words stay upright and of one size; a tick that would cover another word is left out. */
function place_labels(view: View3d, container: HTMLElement, labels: Label[]): void {
  const taken: { x: number; y: number; w: number }[] = [];
  const order = [...labels].sort(
    (a, b) => Number(a.element.classList.contains('tick')) - Number(b.element.classList.contains('tick')),
  );
  for (const { at, element } of order) {
    const p = at.clone().project(view.camera);
    const w = 7 * (element.textContent ?? '').length;
    const half = 0.5 * w;
    const kinds = element.classList;
    // Beside what they name, not on it.
    const [dx, dy] = kinds.contains('normal')
      ? [-half - 5, 0]
      : kinds.contains('tick')
        ? [0, 10]
        : kinds.contains('axis')
          ? [0, 0]
          : [half + 6, 0];
    let x = (0.5 + 0.5 * p.x) * container.clientWidth + dx;
    const y = (0.5 - 0.5 * p.y) * container.clientHeight + dy;
    const tick = kinds.contains('tick');
    if (!tick) x = Math.min(Math.max(x, half + 2), container.clientWidth - half - 2);
    const hit = taken.some((t) => Math.abs(t.x - x) < 0.5 * (t.w + w) + 2 && Math.abs(t.y - y) < 14);
    const hidden = p.z > 1 || (tick && hit) || y < 6 || y > container.clientHeight - 6;
    element.style.visibility = hidden ? 'hidden' : 'visible';
    if (hidden) continue;
    taken.push({ x, y, w });
    element.style.transform = `translate(-50%, -50%) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}

function listen_to_keys(view: View3d, container: HTMLElement): void {
  const turns: { [key: string]: [number, number] } = {
    ArrowLeft: [1, 0],
    ArrowRight: [-1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  container.addEventListener('keydown', (event) => {
    const turn = turns[event.key];
    if (turn) rotate(view, (turn[0] * Math.PI) / 18, (turn[1] * Math.PI) / 18, 1);
    else if (event.key === '+' || event.key === '=') rotate(view, 0, 0, 0.9);
    else if (event.key === '-') rotate(view, 0, 0, 1 / 0.9);
    else if (event.key === 'Home' || event.key === '0') view.reset();
    else return;
    event.preventDefault();
  });
}

function rotate(view: View3d, around: number, over: number, zoom: number): void {
  const to_y = new Quaternion().setFromUnitVectors(view.camera.up, new Vector3(0, 1, 0));
  const offset = view.camera.position.clone().sub(view.controls.target).applyQuaternion(to_y);
  const sphere = new Spherical().setFromVector3(offset);
  sphere.theta -= around;
  sphere.phi = Math.min(Math.max(sphere.phi + over, 0.01), Math.PI - 0.01);
  sphere.radius *= zoom;
  offset.setFromSpherical(sphere).applyQuaternion(to_y.invert());
  view.camera.position.copy(view.controls.target).add(offset);
  view.controls.update();
  view.request();
}
