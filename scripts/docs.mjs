// `npm run docs`: writes the pages and tables of docs/ that are generated from code.
import { prepare } from './tools/prepare.mjs'

await prepare()
const { register } = await import('tsx/esm/api')
register()
const { buildGeneratedPages } = await import('./docs/pages')
const { writeFileSync } = await import('node:fs')

for (const { path, current, text } of buildGeneratedPages()) {
  if (current === text) continue
  writeFileSync(path, text)
  console.log(`Updated ${path}`)
}
