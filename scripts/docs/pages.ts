import { readFileSync } from 'node:fs'
import { at } from '../tools/paths.mjs'
import { settingsTables } from './settings'

/** Replaces what stands between the two markers of a page. */
const withGenerated = (page: string, generated: string): string => {
  const [start, end] = ['<!-- generated: npm run docs -->', '<!-- end of generated -->']
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The markers ${start} and ${end} are missing.`)
  return `${before}${start}\n\n${generated}\n\n${end}${after}`
}

/** The pages with generated parts: as they are, and as they should be. */
export const generatedPages = () =>
  [{ path: at('docs', 'configuration.md'), generated: settingsTables() }].map(({ path, generated }) => {
    const current = readFileSync(path, 'utf8')
    return { path, current, text: withGenerated(current, generated) }
  })
