import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tests/**/*.test.ts', 'tests/play_bits.test.mjs'], environment: 'node' } });
