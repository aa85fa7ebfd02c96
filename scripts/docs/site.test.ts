import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderSitePages } from './site.mjs'

const pages = renderSitePages()
const byPath = new Map(pages.map(({ path, html }) => [path, html]))

/** Link targets outside the site that the server serves. */
const serverPaths = new Set(['/', '/favicon.svg', '/boot.js'])

const brokenLink = (path: string, url: string): string | undefined => {
  if (/^(https?:|mailto:)/.test(url) || serverPaths.has(url)) return undefined
  const [file = '', anchor] = url.split('#')
  const target = file ? posix.join(posix.dirname(path), file) : path
  if (['api/', 'site.css'].includes(target)) return undefined
  const html = byPath.get(target)
  if (html === undefined) return `${path}: ${url}`
  return !anchor || html.includes(`id="${anchor}"`) ? undefined : `${path}: ${url} has no such heading`
}

describe('the documentation site', () => {
  it('contains every page of docs/ with its title', () => {
    expect(byPath.get('configuration.html')).toContain('<title>Configuration · Trunkline</title>')
    expect(byPath.get('decisions/index.html')).toContain('<title>Decisions · Trunkline</title>')
    expect(pages.length).toBeGreaterThan(70)
  })

  it('links only to pages and headings that exist', () => {
    const broken = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => brokenLink(path, url)),
    )
    expect(broken.filter(Boolean)).toEqual([])
  })

  it('loads nothing from other servers', () => {
    for (const { html } of pages) expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
  })

  it('marks the current page in the navigation, including decisions', () => {
    expect(byPath.get('backup.html')).toContain('href="./backup.html" aria-current="page"')
    expect(byPath.get('decisions/0001-resources-without-zod.html')).toContain(
      'href="../decisions/index.html" aria-current="page"',
    )
  })
})
