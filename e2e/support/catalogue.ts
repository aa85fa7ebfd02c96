import { expect, type Locator, type Page } from '@playwright/test'
import { catalogueTextOf } from './catalogue-entries'

/** The texts of the catalogue (see catalogue-entries.ts) that the tests have seen on a screen so far. */
export const shownMessages = new Set<string>()

/**
 * Expects a catalogue message on the page and records it. `locateMessage` finds the element if the exact text does not
 * identify it.
 */
export const expectMessage = async (
  page: Page,
  message: string,
  locateMessage: (page: Page) => Locator = () => page.getByText(message, { exact: true }),
) => {
  const entry = catalogueTextOf(message)
  await expect(locateMessage(page).filter({ visible: true }).first(), message).toBeVisible()
  shownMessages.add(entry)
}
