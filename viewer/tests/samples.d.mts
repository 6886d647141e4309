export { fill, pack, read_template } from './packing.mjs';
type Page = { [key: string]: unknown };
export function bouncing_disc(options?: { duration?: number; step?: number; restitution?: number; friction?: number }): Page;
export function sliding_box(): Page;
export function hostile(): Page;
export function long_run(): Page;
export const hostile_names: string[];
