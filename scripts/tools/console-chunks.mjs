import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectPath } from './paths.mjs'

/**
 * The part of the bundler's module graph that decides about chunks.
 * @typedef {{ getModuleInfo: (id: string) => { importers: readonly string[], dynamicImporters: readonly string[] } | null }} ModuleGraph
 */

const sourceFolder = projectPath('console', 'src')
const entry = join(sourceFolder, 'main.tsx')

const resolveSource = (/** @type {string} */ path) => join(sourceFolder, path)

/** The modules loaded on demand that the first list after a sign-in needs. */
const firstListModules = ['app/signed-in-layout.tsx', 'app/request-screen-data.ts', 'features/accounts/list.tsx'].map(
  resolveSource,
)

/** Loaded soon after the first list. Small code that several areas share is in the same chunk. */
const unseenAlerts = resolveSource('features/alerts/unseen-alerts.tsx')

/** The first requests of Home, which start while its code loads. */
const homeQueries = resolveSource('features/home/home-queries.ts')

/** A part of the sign-in screen of some installations. */
const identityProviders = resolveSource('features/sign-in/identity-providers.tsx')

/**
 * A part of the console whose screens share code.
 * @typedef {'tables' | 'forms' | 'calls' | 'plans' | 'subscription' | 'registration' | 'dialogs'} Area
 */

/**
 * The area of a module that is loaded on demand, by its path. The first match wins.
 * @type {[RegExp, Area][]}
 */
const areasByPath = [
  [/^features\/(recent-calls|alerts)\//, 'calls'],
  [/^features\/[\w-]+\/list\./, 'tables'],
  [/^features\/(register|oauth-callback)\//, 'registration'],
  [/^features\/accounts\/accounts-by-plan\./, 'plans'],
  [/^(features\/(subscription|plans|sip-realm)|panels\/subscription)\//, 'subscription'],
  [/^features\/accounts\/(managed-plan-box|plan-actions|plan-box)\./, 'subscription'],
  [/^features\/not-found\//, 'dialogs'],
  [/^(features|panels)\//, 'forms'],
]

/** @type {(id: string) => Area} */
const getArea = (id) =>
  areasByPath.find(([pattern]) => pattern.test(id.slice(sourceFolder.length + 1)))?.[1] ?? 'dialogs'

/** The folder of a module in `features/`, or undefined. @type {(id: string) => string | undefined} */
const getFeature = (id) => /\/console\/src\/features\/([\w-]+)\//.exec(id)?.[1]

/** Code without knowledge of a single screen. Without this limit, texts of every form would count as shared. */
const sharableModules = new RegExp(
  [
    '/lucide-react/',
    '/console/src/(ui|kit|lib|fields|panels)/',
    '/console/src/features/accounts/(plan-event|granted-capacity)\\.',
    '/contract/src/(billing|cloud)/',
    '/contract/src/resources/(dependents|recent-call|live-call|speech-credential|subscription)\\.',
    '/contract/src/messages/(api-key|application|bucket|form|plan|service-provider|sip-realm|user|voip-carrier)\\.',
  ].join('|'),
)

/** Parses `{ default as Name, … } from './path'` and `import { Name, type Other as Alias } from 'path'`. */
const parseNames = (/** @type {string} */ list) =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item && !item.startsWith('type '))

/**
 * Finds the modules of this project that import each icon. The module graph does not tell them, because every icon is
 * imported from the index of the package.
 * @returns {Map<string, string[]>}
 */
const findIconImporters = () => {
  const indexFile = join(
    dirname(createRequire(projectPath('console', 'package.json')).resolve('lucide-react/package.json')),
    'dist/esm/lucide-react.mjs',
  )
  const filesByName = /** @type {Map<string, string>} */ (new Map())
  for (const [, names = '', path = ''] of readFileSync(indexFile, 'utf8').matchAll(
    /export \{([^}]+)\} from '([^']+)'/g,
  ))
    for (const name of parseNames(names))
      filesByName.set(name.replace('default as ', ''), join(dirname(indexFile), path))
  const importers = /** @type {Map<string, string[]>} */ (new Map())
  for (const path of readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue
    const source = readFileSync(join(sourceFolder, path), 'utf8')
    const [, names = ''] = /import \{([^}]+)\} from 'lucide-react'/.exec(source) ?? []
    for (const name of parseNames(names)) {
      const file = filesByName.get(name.replace(/ as .*/, '')) ?? ''
      importers.set(file, [...(importers.get(file) ?? []), join(sourceFolder, path)])
    }
  }
  return importers
}

const isIcon = (/** @type {string} */ id) => /\/lucide-react\/dist\/esm\/icons\//.test(id)
/** A list, or a part of the list of calls that is visible at once. */
const isListScreen = (/** @type {string} */ id) =>
  /\/features\/([\w-]+\/list|recent-calls\/(list\/list|list\/more-filters|overview\/overview))\.tsx$/.test(id)
const isStyleSheet = (/** @type {string} */ id) => id.endsWith('.css')

/** The parts of react-query that only the command palette uses. Its index imports them. */
const isPaletteQuery = (/** @type {string} */ id) =>
  /\/@tanstack\/.*\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\./.test(id)

/** The parts of react-query that change records, which no list needs before its rows are shown. */
const isMutationHook = (/** @type {string} */ id) => /\/@tanstack\/.*\/(useMutation|mutationObserver)\./.test(id)

/**
 * Is a module shared by areas that are often used without each other? Most other areas need that of forms anyway.
 * @param {ReadonlySet<Area>} areas
 */
const isShared = (areas) =>
  areas.size > 1 && ['tables', 'calls', 'plans', 'dialogs'].some((area) => areas.has(/** @type {Area} */ (area)))

/** Creates a function that returns the chunk of a module, or null if the bundler decides. */
export const createChunkNamer = () => {
  const iconImporters = findIconImporters()

  /**
   * Collects the modules whose code needs this module: the entry, and modules that a dynamic import loads.
   * @param {string} id
   * @param {ModuleGraph} graph
   */
  const findRoots = (id, graph) => {
    /** @type {Set<string>} */
    const visitedIds = new Set()
    /** @type {Set<string>} */
    const roots = new Set()
    const visit = (/** @type {string} */ visitedId) => {
      if (visitedIds.has(visitedId)) return
      visitedIds.add(visitedId)
      const info = graph.getModuleInfo(visitedId)
      if (visitedId === entry || (info && info.dynamicImporters.length > 0)) roots.add(visitedId)
      const importers = isIcon(visitedId) ? iconImporters.get(visitedId) : info?.importers
      importers?.forEach(visit)
    }
    visit(id)
    return roots
  }

  return (/** @type {string} */ id, /** @type {ModuleGraph} */ graph) => {
    if (isPaletteQuery(id)) return null
    if (isMutationHook(id)) return 'shared'
    const roots = findRoots(id, graph)
    if (roots.has(entry) || id.includes('rolldown/runtime') || id.includes('preload-helper')) return 'start'
    if (firstListModules.some((root) => roots.has(root))) return 'lists'
    if (roots.has(identityProviders)) return isStyleSheet(id) ? 'start' : 'identity-providers'
    const areas = new Set([...roots].map(getArea))
    if (roots.has(unseenAlerts) || roots.has(homeQueries) || (sharableModules.test(id) && isShared(areas)))
      return isStyleSheet(id) ? 'start' : 'shared'
    if ([...roots].some(isListScreen)) return areas.has('tables') ? 'tables' : 'calls'
    if (areas.has('registration') && areas.size === 1) return isStyleSheet(id) ? 'forms' : 'registration'
    const isAreaStyleSheet = isStyleSheet(id) && !areas.has('dialogs') && !areas.has('plans')
    if (roots.size < 2 && !isAreaStyleSheet) return null
    // The form and the page of one kind of record share code with its list, which other forms do not need.
    const features = new Set([...roots].map(getFeature))
    const [feature] = features
    if (feature && features.size === 1 && areas.has('forms') && areas.size === 1 && !isStyleSheet(id)) return feature
    if (areas.has('forms') || areas.has('registration')) return 'forms'
    return areas.has('calls') ? 'call-details' : areas.has('subscription') ? 'subscription' : 'dialogs'
  }
}
