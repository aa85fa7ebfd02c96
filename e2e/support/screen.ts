import { expect, type Locator, type Page } from '@playwright/test'

/** Selects an option of a list by its text. */
export const selectOption = async (container: Page | Locator, label: string, value: string) => {
  const page = 'page' in container ? container.page() : container
  await container.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** Expects a toast with this text. */
export const expectToast = (page: Page, words: string) =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByText(words, { exact: true }).last()).toBeVisible()

/** The level 1 heading of the page; a count may follow its text. */
export const heading = (page: Page, words: string) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^${words}( [\\d,]+)?$`) })

export const clickSave = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

/** Deletes the open record. Waits until the dialog names it, because the last save may still be in progress. */
export const deleteRecord = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(name)
  await question.getByRole('button', { name: 'Delete' }).click()
}
