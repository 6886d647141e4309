// A three.js view shared by the replay and the cones: renderer, camera, light, orbit, pan and zoom by mouse and touch.
// It draws only when asked, so a page at rest costs nothing.

import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  Sphere,
  TOUCH,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { el } from './dom';
import { colour, on_theme_change } from './theme';

export interface ViewOptions {
  /** Seen square on along −z, without turning. */
  planar: boolean;
  /** Direction that points up on the screen. */
  up?: [number, number, number];
  label: string;
}

export class View3d {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  /** Called before each drawing; sizes of markers that keep their size on the screen go here. */
  before_render: () => void = () => {};
  /** How often the scene was drawn; for tests. */
  drawings = 0;
  private pending = false;
  /** The reader has chosen a view of their own: a new size of the window leaves it. */
  private touched = false;
  private framed = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  private readonly direction = new Vector3(0, 0, 1);

  constructor(
    readonly container: HTMLElement,
    private readonly options: ViewOptions,
  ) {
    // The drawing buffer is kept so that a picture of the page, printed or saved, shows the scene.
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    const canvas = this.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', options.label);
    container.append(canvas);

    this.camera = options.planar ? new OrthographicCamera(-1, 1, 1, -1, 0.01, 100) : new PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.fromArray(options.planar ? [0, 1, 0] : (options.up ?? [0, 0, 1]));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.screenSpacePanning = true;
    if (options.planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener('change', () => this.request());
    this.controls.addEventListener('start', () => {
      this.touched = true;
    });

    this.scene.add(new AmbientLight(0xffffff, 1.7));
    const sun = new DirectionalLight(0xffffff, 2.0);
    const up = this.camera.up;
    sun.position.copy(up).multiplyScalar(1.5).add(new Vector3(0.6, -0.4, 0.8));
    this.scene.add(sun);

    this.recolour();
    on_theme_change(() => this.recolour());
    // At once, not at the next frame: a new size empties the drawing buffer, and this frame would show it empty.
    new ResizeObserver(() => {
      this.resize();
      this.render();
    }).observe(container);
    this.resize();
  }

  /** Draws at the next frame, once however often it is asked. */
  request(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.render();
    });
  }

  render(): void {
    this.before_render();
    this.renderer.render(this.scene, this.camera);
    ++this.drawings;
  }

  /** Looks at the whole box, keeping a margin; `direction` points from the box to the eye (spatial views only). */
  frame(box: Box3, direction?: Vector3): void {
    this.framed.copy(box);
    if (this.framed.isEmpty()) this.framed.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    if (this.options.planar) this.direction.set(0, 0, 1);
    else if (direction) this.direction.copy(direction).normalize();
    else this.direction.copy(default_direction(this.camera.up));
    this.reset();
  }

  /** Back to the framing of `frame`. */
  reset(): void {
    this.touched = false;
    const centre = this.framed.getCenter(new Vector3());
    const radius = Math.max(this.framed.getBoundingSphere(new Sphere()).radius, 1e-6);
    this.controls.target.copy(centre);
    let distance = 4 * radius;
    if (this.camera instanceof PerspectiveCamera) {
      distance = this.fitting_distance(centre);
    } else {
      this.camera.zoom = 1;
    }
    this.camera.position.copy(centre).addScaledVector(this.direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 200;
    this.controls.minDistance = distance / 100;
    this.controls.maxDistance = distance * 20;
    this.fit_planar();
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.request();
  }

  /** Length in the scene of one pixel of the screen at the point looked at. */
  pixel(): number {
    const height = Math.max(this.container.clientHeight, 1);
    if (this.camera instanceof OrthographicCamera) return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
  }

  /** Moves eye and target together; for following something. */
  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
    this.request();
  }

  /** How far the eye must be from the centre of the framed box to have its eight corners in sight. */
  private fitting_distance(centre: Vector3): number {
    const camera = this.camera as PerspectiveCamera;
    const high = Math.tan((camera.fov * Math.PI) / 360);
    const wide = high * camera.aspect;
    const right = new Vector3().crossVectors(camera.up, this.direction).normalize();
    const above = new Vector3().crossVectors(this.direction, right);
    let distance = 1e-6;
    for (let i = 0; i < 8; ++i) {
      const { min, max } = this.framed;
      const corner = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(centre);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(above)) / high);
      distance = Math.max(distance, 1.06 * across + corner.dot(this.direction));
    }
    return distance;
  }

  private fit_planar(): void {
    if (!(this.camera instanceof OrthographicCamera)) return;
    const size = this.framed.getSize(new Vector3());
    const aspect = Math.max(this.container.clientWidth, 1) / Math.max(this.container.clientHeight, 1);
    const half = 0.55 * Math.max(size.y, size.x / aspect, 1e-6);
    this.camera.top = half;
    this.camera.bottom = -half;
    this.camera.left = -half * aspect;
    this.camera.right = half * aspect;
  }

  private resize(): void {
    const width = this.container.clientWidth;
    const height = this.container.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    if (this.camera instanceof PerspectiveCamera) this.camera.aspect = width / height;
    if (!this.touched) this.reset();
    this.fit_planar();
    this.camera.updateProjectionMatrix();
    this.request();
  }

  private recolour(): void {
    this.scene.background = new Color(colour('--scene'));
    this.request();
  }
}

/** From the right front, a little above, whichever way is up. */
function default_direction(up: Vector3): Vector3 {
  const side = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  side.addScaledVector(up, -side.dot(up)).normalize();
  const front = new Vector3().crossVectors(side, up).normalize();
  return front.addScaledVector(side, 0.55).addScaledVector(up, 0.45).normalize();
}

/** A view in `container`, or null and a message in its place where the browser has no WebGL. */
export function make_view(container: HTMLElement, options: ViewOptions): View3d | null {
  try {
    return new View3d(container, options);
  } catch {
    container.replaceChildren(
      el('p', { class: 'no-webgl' }, 'This browser has no WebGL, so the 3-D view is missing. Everything else works.'),
    );
    return null;
  }
}
