import type { Page } from '@playwright/test'
import { openAs, signIn } from '../scripts/launch/users'
import { startV1Api } from './support/v1-api-double'
import { selectOption, heading } from './support/screen'
import { startServer } from '../scripts/launch/server'
import { expect, test } from './support/test'
import { addNumberedRecords } from './support/numbered-records'

/**
 * The list state in the URL and sorting by column headers, with a Trunkline server and with a v1 server, which does not
 * page these lists.
 */
test.use({ serverName: 'every-list' })

interface List {
  path: string
  title: string
  filter: string
  /** A text that exactly the thirty records contain. */
  text: string
  /** The sortable columns, with the record's name first. */
  columns: string[]
  /** The label of the account filter, if there is one. */
  account?: 'Account' | 'Used by'
  select?: { name: string; value: string; parameters: Record<string, string> }
}

const lists: List[] = [
  {
    path: 'users',
    title: 'Users',
    filter: 'Filter users',
    text: 'item',
    columns: ['Name', 'Email', 'Account or provider', 'Password change'],
    account: 'Account',
    select: { name: 'Scope', value: 'Account', parameters: { scope: 'account' } },
  },
  {
    path: 'accounts',
    title: 'Accounts',
    filter: 'Filter accounts',
    text: 'item',
    columns: ['Name', 'Status', 'Plan', 'SIP realm'],
    select: { name: 'Status', value: 'Active', parameters: { is_active: '1' } },
  },
  {
    path: 'applications',
    title: 'Applications',
    filter: 'Filter applications',
    text: 'item',
    columns: ['Name', 'Account'],
    account: 'Account',
  },
  {
    path: 'carriers',
    title: 'Carriers',
    filter: 'Filter carriers',
    text: 'item',
    columns: ['Name', 'Status', 'Used by'],
    account: 'Used by',
  },
  {
    path: 'clients',
    title: 'SIP clients',
    filter: 'Filter SIP clients',
    text: 'item',
    columns: ['Username', 'Status', 'Account'],
    account: 'Account',
  },
  {
    path: 'ms-teams-tenants',
    title: 'Microsoft Teams tenants',
    filter: 'Filter Microsoft Teams tenants',
    text: 'item',
    columns: ['Domain name', 'Account', 'Application'],
    account: 'Account',
  },
  {
    path: 'speech-services',
    title: 'Speech services',
    filter: 'Filter speech services',
    text: 'item',
    columns: ['Vendor', 'Label', 'Used by'],
    account: 'Used by',
  },
  {
    path: 'phone-numbers',
    title: 'Phone numbers',
    filter: 'Filter phone numbers',
    text: '1212555',
    columns: ['Number', 'Account', 'Application', 'Carrier'],
    account: 'Account',
  },
  {
    path: 'least-cost-routing',
    title: 'Outbound call routing',
    filter: 'Filter routing tables',
    text: 'item',
    columns: ['Name', 'Status', 'Used by'],
  },
]

/**
 * The lists that a v1 server sends unpaged. They lack the names of other records, so these columns are not sortable.
 */
const unpagedLists = new Set(['users', 'accounts', 'applications', 'clients', 'ms-teams-tenants', 'least-cost-routing'])
const relatedNameColumns = new Set(['Account', 'Application', 'Carrier', 'Used by'])

const columnHeader = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const rows = (page: Page) => page.locator('tbody tr')
const urlParameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** Polls at shorter intervals than usual, because these tests wait often. */
const pollOften = <Value>(read: () => Value | Promise<Value>, message?: string) =>
  expect.poll(read, { intervals: [30, 60, 100], ...(message ? { message } : {}) })

/** The texts of a column, in row order. */
const columnTexts = async (page: Page, name: string) => {
  const columnIndex = await columnHeader(page, name).evaluate((cell) => (cell as HTMLTableCellElement).cellIndex)
  return rows(page)
    .locator(`td:nth-child(${columnIndex + 1}), th:nth-child(${columnIndex + 1})`)
    .allTextContents()
}

/** The sort order of the texts: 1 ascending, -1 descending; undefined if unsorted or all equal. */
const directionOf = (texts: string[]) => {
  const directions = new Set(texts.slice(1).map((text, index) => Math.sign(text.localeCompare(texts[index] ?? ''))))
  directions.delete(0)
  return directions.size === 1 ? [...directions][0] : undefined
}

const expectSortByEveryColumn = async (page: Page, { columns }: List) => {
  await expect(rows(page)).toHaveCount(30)
  const buttons = page.getByRole('columnheader').getByRole('button')
  if (columns.length > 0) await expect(buttons).toContainText(columns)
  else await expect(buttons).toHaveCount(0)
  for (const [index, name] of columns.entries()) {
    const clickHeader = () => columnHeader(page, name).getByRole('button').click()
    // Lists are initially sorted by their first column.
    if (index > 0) await clickHeader()
    await expect(columnHeader(page, name)).toHaveAttribute('aria-sort', 'ascending')
    // Until the response arrives, the old rows remain, which could happen to be sorted by this column too.
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await pollOften(async () => directionOf(await columnTexts(page, name)), `${name}, first click`).toBeDefined()
    const initialDirection = directionOf(await columnTexts(page, name)) ?? 0
    await clickHeader()
    await expect(columnHeader(page, name)).toHaveAttribute('aria-sort', 'descending')
    await pollOften(async () => directionOf(await columnTexts(page, name)), `${name}, second click`).toBe(
      -initialDirection,
    )
  }
}

/** The visible state of a list. */
const visibleState = async (page: Page, { filter, columns }: List) => ({
  parameters: urlParameters(page),
  filter: await page.getByRole('searchbox', { name: filter }).inputValue(),
  selections: await page.getByRole('main').getByRole('combobox').allTextContents(),
  sortOrder: await columnHeader(page, columns[0] ?? '').getAttribute('aria-sort'),
  page: await page.getByRole('navigation', { name: 'Pagination' }).locator('[aria-current]').textContent(),
  names: await columnTexts(page, columns[0] ?? ''),
})

const expectStateInUrl = async (page: Page, list: List) => {
  const { filter, text, account, select, columns, path } = list
  // Click the header while the filter still waits for more input.
  await page.getByRole('searchbox', { name: filter }).fill(text)
  await columnHeader(page, columns[0] ?? '')
    .getByRole('button')
    .click()
  const sort = { sort: expect.stringMatching(/^-/) as unknown }
  await pollOften(() => urlParameters(page)).toEqual({ text, ...sort })
  await selectOption(page, 'Page size', '50 / page')
  await expect(rows(page)).toHaveCount(30)
  await page.reload()
  await expect(rows(page)).toHaveCount(30)
  expect(urlParameters(page)).toEqual({ text, ...sort, page_size: '50' })
  await selectOption(page, 'Page size', '25 / page')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page)).toHaveCount(5)
  await page.goBack()
  await expect(rows(page)).toHaveCount(25)
  if (select) await selectOption(page, select.name, select.value)
  if (account) {
    await selectOption(page, account, 'item 01')
    await expect(page.getByText('Total: 27 records')).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(rows(page)).toHaveCount(2)
  } else await expect(rows(page)).toHaveCount(select ? 15 : 25)
  const accountParameters = account ? { account: expect.any(String) as unknown, page: '2' } : {}
  expect(urlParameters(page)).toEqual({ text, ...sort, ...select?.parameters, ...accountParameters })

  const stateBefore = await visibleState(page, list)
  const expectSameState = () => pollOften(() => visibleState(page, list)).toEqual(stateBefore)
  await page.reload()
  await expectSameState()
  await rows(page).first().getByRole('link').first().click()
  const recordUrl = new RegExp(`/${path}/[^/?]+(/edit)?$`)
  await expect(page).toHaveURL(recordUrl)
  await page.goBack()
  await expectSameState()
  await page.goForward()
  await expect(page).toHaveURL(recordUrl)
  await page.goBack()
  await expectSameState()
}

test.describe('every list', () => {
  test.beforeAll(async ({ server, api }) => {
    await addNumberedRecords(server, api)
  })

  for (const list of lists)
    test(`of ${list.title} keeps its state in the URL and sorts by its columns`, async ({ page, server, admin }) => {
      await openAs(page, server, admin, `/internal/${list.path}`)
      await expect(heading(page, list.title)).toBeVisible()
      await expectStateInUrl(page, list)
      await page.goto(`${server.url}/internal/${list.path}?text=${list.text}&page_size=50`)
      await expectSortByEveryColumn(page, list)
    })

  test('lists of a v1 server sort by their column headers', async ({ page, server, admin }) => {
    test.setTimeout(120_000)
    const v1Api = await startV1Api(server)
    const consoleServer = await startServer({ API_BASE_URL: v1Api.url })
    try {
      await page.goto(consoleServer.url)
      await signIn(page, admin.name, admin.password)
      await expect(heading(page, 'Accounts')).toBeVisible()
      // A v1 server lists only the provider's speech services here, but these belong to accounts.
      for (const list of lists.filter(({ path }) => path !== 'speech-services')) {
        await page.goto(`${consoleServer.url}/internal/${list.path}?text=${list.text}&page_size=50`)
        await expect(heading(page, list.title)).toBeVisible()
        const columns = unpagedLists.has(list.path) ? list.columns.filter((name) => !relatedNameColumns.has(name)) : []
        await expectSortByEveryColumn(page, { ...list, columns })
      }
    } finally {
      await consoleServer.dispose()
      await v1Api.close()
    }
  })
})
