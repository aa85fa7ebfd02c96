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
test.use({ world: 'every-list' })

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
  select?: { name: string; value: string; search: Record<string, string> }
}

const lists: List[] = [
  {
    path: 'users',
    title: 'Users',
    filter: 'Filter users',
    text: 'item',
    columns: ['Name', 'Email', 'Account or provider', 'Password change'],
    account: 'Account',
    select: { name: 'Scope', value: 'Account', search: { scope: 'account' } },
  },
  {
    path: 'accounts',
    title: 'Accounts',
    filter: 'Filter accounts',
    text: 'item',
    columns: ['Name', 'Status', 'Plan', 'SIP realm'],
    select: { name: 'Status', value: 'Active', search: { is_active: '1' } },
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
    filter: 'Filter outbound call routes',
    text: 'item',
    columns: ['Name', 'Status', 'Used by'],
  },
]

/**
 * The lists that a v1 server sends unpaged. They lack the names of other records, so these columns are not sortable.
 */
const unpagedLists = new Set(['users', 'accounts', 'applications', 'clients', 'ms-teams-tenants', 'least-cost-routing'])
const relatedNameColumns = new Set(['Account', 'Application', 'Carrier', 'Used by'])

const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const rows = (page: Page) => page.locator('tbody tr')
const urlParams = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** Polls at shorter intervals than usual, because these tests wait often. */
const pollOften = <Seen>(read: () => Seen | Promise<Seen>, message?: string) =>
  expect.poll(read, { intervals: [30, 60, 100], ...(message ? { message } : {}) })

/** The texts of a column, in row order. */
const columnTexts = async (page: Page, name: string) => {
  const at = await head(page, name).evaluate((cell) => (cell as HTMLTableCellElement).cellIndex)
  return rows(page)
    .locator(`td:nth-child(${at + 1}), th:nth-child(${at + 1})`)
    .allTextContents()
}

/** The sort order of the texts: 1 ascending, -1 descending; undefined if unsorted or all equal. */
const directionOf = (words: string[]) => {
  const steps = new Set(words.slice(1).map((word, at) => Math.sign(word.localeCompare(words[at] ?? ''))))
  steps.delete(0)
  return steps.size === 1 ? [...steps][0] : undefined
}

const expectSortByEveryColumn = async (page: Page, { columns }: List) => {
  await expect(rows(page)).toHaveCount(30)
  const buttons = page.getByRole('columnheader').getByRole('button')
  if (columns.length > 0) await expect(buttons).toContainText(columns)
  else await expect(buttons).toHaveCount(0)
  for (const [at, name] of columns.entries()) {
    const press = () => head(page, name).getByRole('button').click()
    // Lists are initially sorted by their first column.
    if (at > 0) await press()
    await expect(head(page, name)).toHaveAttribute('aria-sort', 'ascending')
    // Until the response arrives, the old rows remain, which could happen to be sorted by this column too.
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await pollOften(async () => directionOf(await columnTexts(page, name)), `${name}, first click`).toBeDefined()
    const up = directionOf(await columnTexts(page, name)) ?? 0
    await press()
    await expect(head(page, name)).toHaveAttribute('aria-sort', 'descending')
    await pollOften(async () => directionOf(await columnTexts(page, name)), `${name}, second click`).toBe(-up)
  }
}

/** The visible state of a list. */
const visibleState = async (page: Page, { filter, columns }: List) => ({
  address: urlParams(page),
  filter: await page.getByRole('searchbox', { name: filter }).inputValue(),
  picks: await page.getByRole('main').getByRole('combobox').allTextContents(),
  sorts: await head(page, columns[0] ?? '').getAttribute('aria-sort'),
  page: await page.getByRole('navigation', { name: 'Pagination' }).locator('[aria-current]').textContent(),
  names: await columnTexts(page, columns[0] ?? ''),
})

const expectStateInUrl = async (page: Page, list: List) => {
  const { filter, text, account, select, columns, path } = list
  // Click the header while the filter still waits for more input.
  await page.getByRole('searchbox', { name: filter }).fill(text)
  await head(page, columns[0] ?? '')
    .getByRole('button')
    .click()
  const sort = { sort: expect.stringMatching(/^-/) as unknown }
  await pollOften(() => urlParams(page)).toEqual({ text, ...sort })
  await selectOption(page, 'Page size', '50 / page')
  await expect(rows(page)).toHaveCount(30)
  await page.reload()
  await expect(rows(page)).toHaveCount(30)
  expect(urlParams(page)).toEqual({ text, ...sort, page_size: '50' })
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
  const account_ = account ? { account: expect.any(String) as unknown, page: '2' } : {}
  expect(urlParams(page)).toEqual({ text, ...sort, ...select?.search, ...account_ })

  const before = await visibleState(page, list)
  const same = () => pollOften(() => visibleState(page, list)).toEqual(before)
  await page.reload()
  await same()
  await rows(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/${path}/.+/edit$`))
  await page.goBack()
  await same()
  await page.goForward()
  await expect(page).toHaveURL(/edit$/)
  await page.goBack()
  await same()
}

test.describe('every list', () => {
  test.beforeAll(async ({ platform, api }) => {
    await addNumberedRecords(platform, api)
  })

  for (const list of lists)
    test(`of ${list.title} keeps its state in the URL and sorts by its columns`, async ({ page, platform, admin }) => {
      await openAs(page, platform, admin, `/internal/${list.path}`)
      await expect(heading(page, list.title)).toBeVisible()
      await expectStateInUrl(page, list)
      await page.goto(`${platform.url}/internal/${list.path}?text=${list.text}&page_size=50`)
      await expectSortByEveryColumn(page, list)
    })

  test('lists of a v1 server sort by their column headers', async ({ page, platform, admin }) => {
    test.setTimeout(120_000)
    const v1Api = await startV1Api(platform)
    const front = await startServer({ API_BASE_URL: v1Api.url })
    try {
      await page.goto(front.url)
      await signIn(page, admin.name, admin.password)
      await expect(heading(page, 'Accounts')).toBeVisible()
      // A v1 server lists only the provider's speech services here, but these belong to accounts.
      for (const list of lists.filter(({ path }) => path !== 'speech-services')) {
        await page.goto(`${front.url}/internal/${list.path}?text=${list.text}&page_size=50`)
        await expect(heading(page, list.title)).toBeVisible()
        const columns = unpagedLists.has(list.path) ? list.columns.filter((name) => !relatedNameColumns.has(name)) : []
        await expectSortByEveryColumn(page, { ...list, columns })
      }
    } finally {
      await front.dispose()
      await v1Api.close()
    }
  })
})
