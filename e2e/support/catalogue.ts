import { expect, type Locator, type Page } from '@playwright/test'
import { catalogueTextOf } from './catalogue-entries'

/** The catalogue messages that tests have seen on a screen, as catalogue entries. */
export const shownMessages = new Set<string>()

/**
 * Expects a catalogue message on the page and records it. `where`: the element that shows it, if its exact text does
 * not identify it.
 */
export const expectMessage = async (
  page: Page,
  message: string,
  locate: (page: Page) => Locator = () => page.getByText(message, { exact: true }),
) => {
  const entry = catalogueTextOf(message)
  await expect(locate(page).filter({ visible: true }).first(), message).toBeVisible()
  shownMessages.add(entry)
}
