import { pathToFileURL } from 'node:url'
import { projectPath } from './paths.mjs'

/** A shape of an icon: its element and attributes. @typedef {[string, Record<string, string>]} Shape */

const iconFile = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/
const iconComponent = projectPath('console', 'src', 'ui', 'icon.tsx')
/** A relative start of a path. Further coordinates are those of lines. */
const relativeStart = /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?=([-\d.])?)/

/** Makes the start of a path absolute, so that the path can follow another one. @param {string} path */
const startAbsolutely = (path) =>
  path.replace(relativeStart, (_, x, y, next) => `M${x} ${y}${next === undefined ? '' : 'l'}`)

/**
 * Joins the paths of an icon and removes its random keys, which cannot be compressed.
 * @param {Shape[]} shapes
 * @returns {Shape[]}
 */
const joinPaths = (shapes) => {
  const paths = /** @type {string[]} */ ([])
  const others = /** @type {Shape[]} */ ([])
  for (const [tag, { key, ...attributes }] of shapes) {
    const { d, ...furtherAttributes } = attributes
    if (d !== undefined && Object.keys(furtherAttributes).length === 0) paths.push(startAbsolutely(d))
    else others.push([tag, attributes])
  }
  return paths.length > 0 ? [...others, ['path', { d: paths.join('') }]] : others
}

/**
 * Makes the icons of lucide-react smaller and quicker, because a list shows more than a hundred: each has one path
 * instead of several, and a component without options draws it.
 * @returns {import('vite').Plugin}
 */
export const compactIcons = () => ({
  name: 'compact-icons',
  enforce: 'pre',
  transform: async (code, id) => {
    if (!iconFile.test(id)) return null
    const { __iconData: icon } = await import(pathToFileURL(id).href)
    // a file with an earlier name of an icon exports the icon of another file
    if (!code.includes('__iconData =')) return null
    return `import { createIcon } from ${JSON.stringify(iconComponent)}
export default createIcon(${JSON.stringify(joinPaths(icon.node))})`
  },
})
