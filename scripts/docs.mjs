import { root } from './tools/paths.mjs'
import { runOrExit } from './tools/run.mjs'

process.chdir(root)
const { ensureInstalled } = await import('./tools/install.mjs')
await runOrExit(ensureInstalled)
const { register } = await import('tsx/esm/api')
register()
const { generatedPages } = await import('./docs/pages')
const { writeFileSync } = await import('node:fs')

for (const { path, current, text } of generatedPages()) {
  if (current === text) continue
  writeFileSync(path, text)
  console.log(`Updated ${path}`)
}
