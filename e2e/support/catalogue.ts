import { expect, type Locator, type Page } from '@playwright/test'
import { entryOf } from './catalogue-entries'

/** The catalogue messages that tests have seen on a screen, as catalogue entries. */
export const reached = new Set<string>()

/**
 * Expects a catalogue message on the page and records it. `where`: the element that shows it, if its exact text does
 * not identify it.
 */
export const reads = async (
  page: Page,
  sentence: string,
  where: (page: Page) => Locator = () => page.getByText(sentence, { exact: true }),
) => {
  const entry = entryOf(sentence)
  await expect(where(page).filter({ visible: true }).first(), sentence).toBeVisible()
  reached.add(entry)
}
