import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { formatBillOfMaterials, formatNotices } from './licenses.mjs'
import { projectPath, root } from './paths.mjs'
import { run, runNpm } from './run.mjs'

const { version, license } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))

/** The SQLite driver is compiled for one platform and one major version of Node. */
const nodeMajor = Number(process.versions.node.split('.')[0])
export const packageName = `trunkline-${version}-${process.platform}-${process.arch}-node${nodeMajor}`

/** Files of packages that no running server reads. */
const isUnused = (/** @type {string} */ path) =>
  /\.(d\.[cm]?ts|map|md|markdown)$/i.test(path) ||
  /better-sqlite3(-13)?\/(deps|src)$/.test(path) ||
  // The other files of a compilation contain absolute paths.
  /better-sqlite3\/build\/(?!Release(\/better_sqlite3\.node)?$)/.test(path) ||
  (path.includes('/prebuilds/') && !new RegExp(`/${process.platform}(musl)?-${process.arch}\\.node$`).test(path))

/** The folders of the server's production packages. @returns {Promise<string[]>} */
const listProductionPackages = async () => {
  const args = ['ls', '--workspace', '@trunkline/server', '--omit=dev', '--all', '--parseable']
  const { output } = await runNpm(args, { captureOutput: true })
  return output.split('\n').filter((path) => path.startsWith(root) && path.includes(`/node_modules/`))
}

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
const runOrThrow = async (command, args, env = {}) => {
  const { code, output } = await run(command, args, { captureOutput: true, env })
  if (code !== 0) throw new Error(`${command} failed:\n${output.trim()}`)
}

/** @param {string[]} segments */
const copyPath = (/** @type {string} */ folder, ...segments) =>
  cpSync(projectPath(...segments), join(folder, ...segments), { recursive: true })

/** Copies a package without the packages inside it, which are listed themselves. */
const copyPackage = (/** @type {string} */ path, /** @type {string} */ folder) =>
  cpSync(path, join(folder, relative(root, path)), {
    recursive: true,
    dereference: true,
    filter: (source) => source === path || (basename(source) !== 'node_modules' && !isUnused(source)),
  })

/** Sets the modes that do not depend on the umask of who builds. @param {string} folder */
const setModes = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** What an operator may start in the package. */
const packageJson = {
  name: 'trunkline',
  version,
  license,
  private: true,
  type: 'module',
  engines: { node: `${nodeMajor}.x` },
  scripts: {
    start: './trunkline start',
    doctor: './trunkline doctor',
    backup: './trunkline backup',
    restore: './trunkline restore',
    'move-calls': './trunkline move-calls',
  },
}

/**
 * Creates the folder of the built product with its production packages. It starts with Node alone.
 * @param {string} outputFolder
 * @returns {Promise<string>} the folder
 */
export const createFolder = async (outputFolder) => {
  const folder = join(outputFolder, packageName)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of await listProductionPackages()) copyPackage(path, folder)
  copyPath(folder, 'server', 'dist')
  copyPath(folder, 'server', 'package.json')
  copyPath(folder, 'console', 'dist')
  for (const name of ['backup.mjs', 'restore.mjs', 'tools/backup.mjs', 'tools/paths.mjs', 'tools/sqlite-driver.mjs'])
    copyPath(folder, 'scripts', ...name.split('/'))
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyPath(folder, name)
  copyPath(folder, 'deploy')
  cpSync(projectPath('deploy', 'trunkline'), join(folder, 'trunkline'))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), formatNotices())
  writeFileSync(join(folder, 'sbom.cdx.json'), await formatBillOfMaterials())
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`)
  setModes(folder)
  return folder
}

/**
 * Creates an archive of a folder. The same files give the same bytes: their order, owners and times are fixed, and gzip
 * stores no time.
 * @param {string} folder
 * @returns {Promise<string>} the archive
 */
export const createTarball = async (folder) => {
  const archive = `${folder}.tar.gz`
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw']
  await runOrThrow('tar', [...fixed, '-I', 'gzip -n', '-cf', archive, '-C', dirname(folder), basename(folder)])
  return archive
}

/** The size of the files in a folder, in KiB. The size of a folder itself depends on the file system. @param {string} folder @returns {number} */
const measureKib = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => total + Math.ceil(statSync(join(parentPath, name)).size / 1024), 0)

const debianArchitectures = /** @type {Record<string, string>} */ ({ x64: 'amd64', arm64: 'arm64', arm: 'armhf' })

/**
 * Creates a Debian package, also with the same bytes for the same files: the program in /usr/lib/trunkline, the settings in /etc/trunkline, a systemd unit and a command.
 * @param {string} folder of `createFolder`
 * @returns {Promise<string>} the package
 */
export const createDebianPackage = async (folder) => {
  const stage = `${folder}.deb-root`
  rmSync(stage, { recursive: true, force: true })
  const target = join(stage, 'usr', 'lib', 'trunkline')
  mkdirSync(dirname(target), { recursive: true })
  cpSync(folder, target, { recursive: true })
  const architecture = debianArchitectures[process.arch] ?? process.arch
  const values = /** @type {Record<string, string>} */ ({
    VERSION: version,
    ARCHITECTURE: architecture,
    NODE_MAJOR: nodeMajor === 20 ? '20.19' : String(nodeMajor),
    NEXT_NODE_MAJOR: `${nodeMajor + 1}~`,
    INSTALLED_KIB: String(measureKib(folder)),
  })
  /** @param {string} source @param {number} mode @param {string[]} path */
  const addFile = (source, mode, ...path) => {
    const file = join(stage, ...path)
    mkdirSync(dirname(file), { recursive: true })
    const text = readFileSync(projectPath('deploy', source), 'utf8')
    writeFileSync(
      file,
      text.replace(/@([A-Z_]+)@/g, (_, name) => values[name] ?? ''),
    )
    chmodSync(file, mode)
  }
  addFile('debian/control', 0o644, 'DEBIAN', 'control')
  for (const name of ['postinst', 'prerm', 'postrm']) addFile(`debian/${name}`, 0o755, 'DEBIAN', name)
  addFile('trunkline.env', 0o640, 'etc', 'trunkline', 'trunkline.env')
  const conffiles = join(stage, 'DEBIAN', 'conffiles')
  writeFileSync(conffiles, '/etc/trunkline/trunkline.env\n')
  chmodSync(conffiles, 0o644)
  addFile('systemd/trunkline.service', 0o644, 'lib', 'systemd', 'system', 'trunkline.service')
  addFile('debian/trunkline', 0o755, 'usr', 'bin', 'trunkline')
  const file = join(dirname(folder), `trunkline_${version}_${architecture}.deb`)
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  chmodSync(stage, 0o755)
  // dpkg-deb stores no later time than this one.
  const env = { SOURCE_DATE_EPOCH: '0' }
  await runOrThrow('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', stage, file], env)
  rmSync(stage, { recursive: true })
  return file
}
