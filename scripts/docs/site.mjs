import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Marked } from 'marked'
import { projectPath } from '../tools/paths.mjs'

/**
 * Renders docs/*.md as the pages that the server serves at /docs, so that an installation without internet access has
 * the documentation. `bundle-console.mjs` calls it.
 */

const fonts = 'console/src/theme/fonts'

/** @param {string} page path from the project's root */
const read = (page) => readFileSync(projectPath(page), 'utf8')

/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** The anchor of a heading, as on GitHub. @param {string} heading its Markdown text */
export const getAnchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The Markdown files of the documentation, as paths from `docs/`. */
const listMarkdownFiles = () =>
  readdirSync(projectPath('docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .sort()

/** The table of pages in README.md, which is also the order of the navigation. */
const readOverviewRows = () =>
  [...read('README.md').matchAll(/^\| \[([^\]]+)\]\(docs\/([^)]+)\)\s*\| (.+?)\s*\|$/gm)].map(
    ([, title = '', page = '', content = '']) => ({ title, page, content }),
  )

/** @param {string} page */
const toHtmlPath = (page) => page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')

/**
 * The URL of a link, or undefined if the site does not have its target, such as source code.
 * @param {string} page the page that contains the link, from `docs/`
 * @param {string} href
 * @param {Set<string>} sitePagePaths
 */
const resolveLink = (page, href, sitePagePaths) => {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const target = posix.join('docs', posix.dirname(page), file)
  const url =
    target === 'README.md'
      ? 'index.html'
      : sitePagePaths.has(target.slice('docs/'.length))
        ? toHtmlPath(target.slice(5))
        : ''
  if (!url) return undefined
  const relative = posix.relative(posix.dirname(toHtmlPath(page)), url) || posix.basename(url)
  return anchor && target !== 'README.md' ? `${relative}#${anchor}` : relative
}

/** @param {string} page @param {Set<string>} sitePagePaths */
const createRenderer = (page, sitePagePaths) =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = getAnchor(text)
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const url = resolveLink(page, href, sitePagePaths)
        const text = this.parser.parseInline(tokens)
        return url === undefined ? text : `<a href="${escapeHtml(url)}">${text}</a>`
      },
      // A wide table scrolls inside its own element. Only a focusable element scrolls with the keyboard.
      table(token) {
        const cells = (/** @type {typeof token.header} */ row, /** @type {string} */ tag) =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((row) => cells(row, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead>${cells(token.header, 'th')}</thead>
<tbody>${body}</tbody></table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  })

/** @param {{ page: string, title: string, body: string }} content */
const renderPage = ({ page, title, body }) => {
  const html = toHtmlPath(page)
  const rootPath = posix.relative(posix.dirname(html), '.') || '.'
  const items = [{ title: 'Overview', page: 'README.md' }, ...readOverviewRows()].map((entry) => {
    const isSection = entry.page !== 'README.md' && entry.page.endsWith('/README.md')
    const isCurrent = entry.page === page || (isSection && posix.dirname(entry.page) === posix.dirname(page))
    return `<li><a href="${rootPath}/${toHtmlPath(entry.page)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Trunkline</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<script src="/boot.js"></script>
<link rel="stylesheet" href="${rootPath}/site.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a href="/">Trunkline</a> <span>Documentation</span></header>
<nav aria-label="Documentation"><ul>
${items.join('\n')}
<li><a href="${rootPath}/api/">API reference</a></li>
</ul></nav>
<main id="content" tabindex="-1">
${body}
</main>
</body>
</html>
`
}

const renderOverview = () =>
  `<h1>Documentation</h1>\n<dl>${readOverviewRows()
    .map(
      ({ title, page, content }) =>
        `<dt><a href="${toHtmlPath(page)}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(content)}</dd>`,
    )
    .join('\n')}
<dt><a href="api/">API reference</a></dt><dd>All routes, with the schemas of requests and responses</dd></dl>`

/** All pages: their path below /docs and their HTML. @returns {{ path: string, html: string }[]} */
export const renderSitePages = () => {
  const sitePagePaths = new Set(listMarkdownFiles())
  const rendered = listMarkdownFiles().map((page) => {
    const text = read(`docs/${page}`)
    const title = /^# (.+)$/m.exec(text)?.[1] ?? page
    const body = /** @type {string} */ (createRenderer(page, sitePagePaths).parse(text, { async: false }))
    return { path: toHtmlPath(page), html: renderPage({ page, title, body }) }
  })
  return [
    { path: 'index.html', html: renderPage({ page: 'README.md', title: 'Documentation', body: renderOverview() }) },
    ...rendered,
  ]
}

/** Writes the site. @param {string} folder */
export const writeSite = (folder) => {
  for (const { path, html } of renderSitePages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), html)
  }
  // The colors of the console, and its theme setting through /boot.js.
  writeFileSync(join(folder, 'site.css'), read('console/src/theme/tokens.css') + read('scripts/docs/site.css'))
  mkdirSync(join(folder, 'fonts'), { recursive: true })
  for (const file of readdirSync(projectPath(fonts)).filter((name) => name.endsWith('.woff2')))
    copyFileSync(projectPath(fonts, file), join(folder, 'fonts', file))
}
