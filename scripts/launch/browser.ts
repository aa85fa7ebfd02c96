/**
 * Restricts Chromium to the pages under test: no background requests, and no sandbox for root, because it would not
 * start.
 */
export const browserArguments = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
