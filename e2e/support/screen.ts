import { expect, type Locator, type Page } from '@playwright/test'

/** Selects an option of a list by its text. */
export const selectOption = async (container: Page | Locator, label: string, option: string) => {
  const page = 'page' in container ? container.page() : container
  await container.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Expects a toast with this text. */
export const expectToast = (page: Page, text: string) =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true }).last()).toBeVisible()

/** The level 1 heading of the page; a count may follow its text. */
export const heading = (page: Page, text: string) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^${text.replace(/[()]/g, '\\$&')}( [\\d,]+)?$`) })

export const clickSave = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

/** Deletes the open record. Waits until the dialog names it, because the last save may still be in progress. */
export const deleteRecord = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(name)
  await dialog.getByRole('button', { name: 'Delete' }).click()
}

/** Chooses that calls open inside the list, also in a wide window. Before the page opens. */
export const openCallsInside = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('trunkline.call-place', 'inside'))

/** Opens the menu of the signed-in user. */
export const openUserMenu = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /User menu$/ })
    .click()

/** Signs out with the user menu. */
export const signOut = async (page: Page) => {
  await openUserMenu(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
}
