// The picture of a map on a canvas: regions, boundaries, axes, the state, and the cell that is looked at.

import { axis_label } from '../format';
import { colour } from '../theme';
import { scale, tick_labels, ticks } from '../axes';
import { value_at, type MapData } from './map_data';

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Cell {
  i: number;
  j: number;
}

/** Where the plane lies on a canvas of this size: room for tick labels and axis names around it. */
export function frame_of(width: number, height: number): Frame {
  return { left: 64, top: 10, width: Math.max(width - 64 - 16, 40), height: Math.max(height - 10 - 50, 40) };
}

export function height_for(width: number): number {
  return Math.round(Math.min(Math.max(0.66 * width, 280), 620));
}

function channels(shade: string): [number, number, number, number] {
  if (!shade.startsWith('#')) return [0, 0, 0, 0];
  const value = parseInt(shade.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255, 255];
}

/** One pixel for each point of the map, highest y first. */
function point_image(map: MapData): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const [columns, rows] = [map.x.points, map.y.points];
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(columns, rows);
  const shades = new Map(map.kinds.map((kind) => [kind.kind, channels(kind.colour)]));
  for (let j = 0; j < rows; ++j) {
    for (let i = 0; i < columns; ++i) {
      const shade = shades.get(map.cells!.kinds[j * columns + i]!);
      if (shade) image.data.set(shade, 4 * ((rows - 1 - j) * columns + i));
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

export class MapPicture {
  private readonly points: HTMLCanvasElement;
  private base: HTMLCanvasElement | null = null;
  private ratio = 1;
  frame: Frame = frame_of(320, 280);

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly map: MapData,
  ) {
    this.points = point_image(map);
  }

  /** Draws anew for this width; colours are read from the theme. */
  resize(width: number): void {
    const height = height_for(width);
    this.ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.canvas.style.height = `${height}px`;
    this.frame = frame_of(width, height);
    this.base = document.createElement('canvas');
    this.base.width = this.canvas.width;
    this.base.height = this.canvas.height;
    const context = this.base.getContext('2d')!;
    context.scale(this.ratio, this.ratio);
    this.draw_regions(context);
    this.draw_axes(context, width, height);
    if (this.map.state) this.draw_state(context);
  }

  /** The drawn picture, with the cell that is looked at. */
  show(cell: Cell | null): void {
    if (!this.base) return;
    const context = this.canvas.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.base, 0, 0);
    if (cell) this.draw_cross(context, cell);
  }

  private x = (value: number) => scale(this.map.x, this.frame.left, this.frame.left + this.frame.width)(value);
  private y = (value: number) => scale(this.map.y, this.frame.top + this.frame.height, this.frame.top)(value);

  private draw_regions(context: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.frame;
    context.fillStyle = colour('--scene');
    context.fillRect(left, top, width, height);
    context.imageSmoothingEnabled = false;
    // Points lie on the border: only half of the outermost pixels is within the frame.
    context.drawImage(this.points, 0.5, 0.5, this.map.x.points - 1, this.map.y.points - 1, left, top, width, height);
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.strokeStyle = '#222222';
    context.lineWidth = 1.2;
    context.lineJoin = 'round';
    for (const curve of this.map.curves) {
      context.beginPath();
      curve.x.forEach((value, k) => {
        const [px, py] = [this.x(value), this.y(curve.y[k]!)];
        if (k === 0) context.moveTo(px, py);
        else context.lineTo(px, py);
      });
      context.stroke();
    }
    context.restore();
  }

  private draw_axes(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { left, top } = this.frame;
    const right = left + this.frame.width;
    const bottom = top + this.frame.height;
    context.strokeStyle = colour('--muted');
    context.lineWidth = 1;
    context.strokeRect(left, top, this.frame.width, this.frame.height);
    context.fillStyle = colour('--text');
    context.font = '12px system-ui, sans-serif';
    const across = ticks(this.map.x, width < 480 ? 3 : 5);
    const labels = tick_labels(across);
    context.textAlign = 'center';
    across.forEach((value, k) => {
      const px = this.x(value);
      this.stroke(context, px, bottom, px, bottom + 5);
      context.fillText(labels[k]!, Math.min(px, width - 0.5 * context.measureText(labels[k]!).width), bottom + 18);
    });
    const up = ticks(this.map.y, 4);
    const up_labels = tick_labels(up);
    context.textAlign = 'right';
    up.forEach((value, k) => {
      const py = this.y(value);
      this.stroke(context, left - 5, py, left, py);
      context.fillText(up_labels[k]!, left - 8, py + 4);
    });
    context.textAlign = 'center';
    context.fillText(axis_label(this.map.x.name, this.map.x.unit), 0.5 * (left + right), height - 8, right - left);
    context.save();
    context.translate(14, 0.5 * (top + bottom));
    context.rotate(-Math.PI / 2);
    context.fillText(axis_label(this.map.y.name, this.map.y.unit), 0, 0, bottom - top);
    context.restore();
  }

  private stroke(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  }

  private draw_state(context: CanvasRenderingContext2D): void {
    const state = this.map.state!;
    const inside =
      state.x >= this.map.x.low &&
      state.x <= this.map.x.high &&
      state.y >= this.map.y.low &&
      state.y <= this.map.y.high;
    if (!inside) return;
    context.beginPath();
    context.arc(this.x(state.x), this.y(state.y), 5.5, 0, 2 * Math.PI);
    context.fillStyle = '#111111';
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = '#ffffff';
    context.stroke();
  }

  private draw_cross(context: CanvasRenderingContext2D, cell: Cell): void {
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const px = this.x(value_at(cell.i, this.map.x));
    const py = this.y(value_at(cell.j, this.map.y));
    const { left, top, width, height } = this.frame;
    // Dark on light regions, and a light rim for dark ones.
    for (const [shade, thickness] of [
      ['#ffffffaa', 3],
      ['#111111', 1],
    ] as const) {
      context.strokeStyle = shade;
      context.lineWidth = thickness;
      this.stroke(context, left, py, left + width, py);
      this.stroke(context, px, top, px, top + height);
    }
    context.lineWidth = 1.5;
    context.strokeRect(px - 5, py - 5, 10, 10);
  }
}
