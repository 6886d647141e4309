import type { Packed } from '../src/document';

export function pack(type: Packed['type'], shape: number[], values: Iterable<number>): Packed;
export function fill(template: string, document: unknown): string;
export function read_template(): string;
