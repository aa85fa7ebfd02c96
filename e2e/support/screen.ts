import { expect, type Locator, type Page } from '@playwright/test'

/** Chooses a value of a list by its words. */
export const choose = async (where: Page | Locator, label: string, value: string) => {
  const page = 'page' in where ? where.page() : where
  await where.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** What a toast says, good or bad. */
export const said = (page: Page, words: string) =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByText(words, { exact: true }).last()).toBeVisible()

/** The page's one heading of the first rank; a count may follow its words. */
export const heading = (page: Page, words: string) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^${words}( [\\d,]+)?$`) })

export const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

/** Deletes what is open, once the question is about it: what was saved a moment ago may still be on its way. */
export const removeIt = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(name)
  await question.getByRole('button', { name: 'Delete' }).click()
}
