import { expect, type Locator, type Page } from '@playwright/test'
import { catalogue } from '../../contract/src/messages/catalogue'

/** The sentences of the catalogue that were read on a screen, as the catalogue has them. */
export const reached = new Set<string>()

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** What a sentence is in the catalogue, where something stands for the part that differs each time. */
const entryOf = (sentence: string): string => {
  const entry = catalogue.find((each) =>
    new RegExp(`^${escaped(each.sentence).replace(/\{\w+\}/g, '.+')}$`).test(sentence),
  )
  if (!entry) throw new Error(`The catalogue does not promise: ${sentence}`)
  return entry.sentence
}

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
