import { expect, type Locator, type Page } from '@playwright/test'
import { entryOf } from './catalogue-entries'

/** The sentences of the catalogue that were read on a screen, as the catalogue has them. */
export const reached = new Set<string>()

/** Reads a sentence of the catalogue on the page, and ticks it off. `where`: what shows it, when that is not its text alone. */
export const reads = async (
  page: Page,
  sentence: string,
  where: (page: Page) => Locator = () => page.getByText(sentence, { exact: true }),
) => {
  const entry = entryOf(sentence)
  await expect(where(page).filter({ visible: true }).first(), sentence).toBeVisible()
  reached.add(entry)
}
