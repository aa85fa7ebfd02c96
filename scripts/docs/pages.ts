import { readFileSync, readdirSync } from 'node:fs'
import { projectPath } from '../tools/paths.mjs'
import { formatDecisionsTable } from './decisions'
import { formatSettingsTables } from './settings'

/** Replaces the text between the two markers of a page. */
const replaceGeneratedText = (page: string, generated: string): string => {
  const [start, end] = ['<!-- generated: npm run docs -->', '<!-- end of generated -->']
  const [before, fromMarker] = page.split(start)
  const after = fromMarker?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The markers ${start} and ${end} are missing.`)
  return `${before}${start}\n\n${generated}\n\n${end}${after}`
}

const readDecisionFiles = () =>
  readdirSync(projectPath('docs', 'decisions'))
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(projectPath('docs', 'decisions', file), 'utf8') }))

/** The pages with generated parts: their current text, and the text they should have. */
export const buildGeneratedPages = () =>
  [
    { path: projectPath('docs', 'configuration.md'), generated: formatSettingsTables() },
    { path: projectPath('docs', 'decisions', 'README.md'), generated: formatDecisionsTable(readDecisionFiles()) },
  ].map(({ path, generated }) => {
    const current = readFileSync(path, 'utf8')
    return { path, current, text: replaceGeneratedText(current, generated) }
  })
