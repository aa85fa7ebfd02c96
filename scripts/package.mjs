// `npm run package`: creates in dist/ an archive of the built product that starts with Node alone and, if dpkg-deb is
// installed, a Debian package of it. `-- folder` creates only the folder, which the Dockerfile copies.
import { rmSync } from 'node:fs'
import { projectPath } from './tools/paths.mjs'
import { prepareBuild } from './tools/prepare.mjs'
import { run } from './tools/run.mjs'

await prepareBuild()
const { createDebianPackage, createFolder, createTarball } = await import('./tools/package.mjs')
const folder = await createFolder(projectPath('dist'))
if (process.argv.includes('folder')) console.log(folder)
else {
  console.log(await createTarball(folder))
  const hasDpkg = (await run('dpkg-deb', ['--version'], { captureOutput: true })).code === 0
  if (hasDpkg) console.log(await createDebianPackage(folder))
  else console.log('dpkg-deb is not installed, so there is no Debian package.')
  rmSync(folder, { recursive: true })
}
