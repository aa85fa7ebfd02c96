import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const consoleSetup = './console/test/setup.ts'

const apart = 'console/test/apart/*.test.tsx'

const screens = {
  environment: 'jsdom',
  include: ['console/{src,test}/**/*.test.{ts,tsx}'],
  setupFiles: existsSync(consoleSetup) ? [consoleSetup] : [],
  // Ten times what the longest takes by itself: these see whether a screen is right, not how busy the machine is.
  testTimeout: 90_000,
  hookTimeout: 60_000,
}

/** Tests stand beside what they test; the three workspaces differ only in where they run. */
export default defineConfig({
  test: {
    // Without this one core stays idle, which on a machine of two is half of it.
    maxWorkers: availableParallelism(),
    // A fault of the fetch in Node 20, rare: its timer fires for a connection that is gone. No code of the project is involved.
    onUnhandledError: ({ message, stack }) =>
      !(message.includes("reading 'deref'") && String(stack).includes('onParserTimeout')),
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
      // As above; a test of screens leaves nothing behind (see useBackend).
      { test: { ...screens, name: 'console', isolate: false, exclude: [apart] } },
      // Those that put something else in a module's place: what is imported already would stay as it is.
      { test: { ...screens, name: 'console, apart', include: [apart] } },
      { test: { name: 'scripts', environment: 'node', include: ['{scripts,bench}/**/*.test.ts'] } },
    ],
  },
})
