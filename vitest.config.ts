import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const consoleSetup = './console/test/setup.ts'

/** Tests stand beside what they test; the three workspaces differ only in where they run. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', environment: 'node', include: ['contract/{src,test}/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          environment: 'node',
          // Each test makes its own app and database, so files can share what they import: half of the time was importing.
          isolate: false,
          include: ['server/{src,test}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'console',
          environment: 'jsdom',
          include: ['console/{src,test}/**/*.test.{ts,tsx}'],
          setupFiles: existsSync(consoleSetup) ? [consoleSetup] : [],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'scripts', environment: 'node', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})
