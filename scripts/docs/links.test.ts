import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectPath, root } from '../tools/paths.mjs'
import { getAnchor } from './site.mjs'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(projectPath('docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]
const read = (page: string) => readFileSync(projectPath(page), 'utf8')

/** The anchors that a Markdown page gets from its headings. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => getAnchor(heading))

/** The link's problem, or undefined if its file and anchor exist. */
const brokenLink = (page: string, link: string): string | undefined => {
  const [file = '', anchor] = link.split('#')
  const target = file ? resolve(root, dirname(page), file) : projectPath(page)
  if (!existsSync(target)) return `${page}: ${link}`
  if (!anchor || anchorsOf(target.slice(root.length + 1)).includes(anchor)) return undefined
  return `${page}: ${link} has no such heading`
}

const sourcePath = /^(?:contract|server|console|e2e|scripts|docs|demo|bench|prove)\/[\w./-]+$/

describe('documentation', () => {
  it('links only to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => brokenLink(page, link)),
    )
    expect(broken.filter(Boolean)).toEqual([])
  })

  it('names only source files that exist (decisions may name old files)', () => {
    const missing = pages
      .filter((page) => !page.startsWith('docs/decisions/'))
      .flatMap((page) =>
        [...read(page).matchAll(/`([^`\n]+)`/g)]
          .map(([, text = '']) => text)
          .filter((text) => sourcePath.test(text) && !/NAME|example/.test(text) && !existsSync(projectPath(text)))
          .map((text) => `${page}: ${text}`),
      )
    expect(missing).toEqual([])
  })

  it('quotes code exactly as in the source file', () => {
    const blocks = pages.flatMap((page) =>
      [...read(page).matchAll(/^```ts (\S+)\n([^]*?)\n```$/gm)].map(([, path = '', code = '']) => ({ path, code })),
    )
    expect(blocks.length).toBeGreaterThan(0)
    expect(blocks.filter(({ path, code }) => !read(path).includes(code)).map(({ path }) => path)).toEqual([])
  })
})
