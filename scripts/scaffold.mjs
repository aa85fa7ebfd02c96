// `npm run scaffold -- NAME`: adds a resource that belongs to an account, with its table, routes, screens and a test.
// NAME is singular and in kebab case, such as `call-tag`.
import { root } from './tools/paths.mjs'
import { prepare } from './tools/prepare.mjs'
import { runOrExit } from './tools/run.mjs'

await prepare()
await runOrExit(async () => {
  const { scaffold } = await import('./scaffold/scaffold.mjs')
  const { written, changed } = await scaffold(root, process.argv[2] ?? '')
  for (const file of written) console.log(`Added    ${file}`)
  for (const file of changed) console.log(`Changed  ${file}`)
  console.log(
    'Next: run `npm test`, then add the columns, rules and fields. docs/adding-a-resource.md explains each file.',
  )
})
