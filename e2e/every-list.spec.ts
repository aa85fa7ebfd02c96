import type { Page } from '@playwright/test'
import { enter, signIn } from '../scripts/launch/users'
import { startPlainApi } from './support/v1-api-double'
import { choose, heading } from './support/screen'
import { startServer } from '../scripts/launch/server'
import { expect, test } from './support/test'
import { addThirty } from './support/thirty-records'

/**
 * The list state in the URL and sorting by column headers, with our server and with a v1 server, which sends whole
 * lists.
 */
test.use({ world: 'every-list' })

interface List {
  path: string
  title: string
  filter: string
  /** A text that exactly the thirty records contain. */
  text: string
  /** The sortable columns, with the record's name first. */
  heads: string[]
  /** The label of the account filter, if there is one. */
  account?: 'Account' | 'Used by'
  pick?: { name: string; value: string; search: Record<string, string> }
}

const lists: List[] = [
  {
    path: 'users',
    title: 'Users',
    filter: 'Filter users',
    text: 'item',
    heads: ['Name', 'Email', 'Account or provider', 'Password change'],
    account: 'Account',
    pick: { name: 'Scope', value: 'Account', search: { scope: 'account' } },
  },
  {
    path: 'accounts',
    title: 'Accounts',
    filter: 'Filter accounts',
    text: 'item',
    heads: ['Name', 'Status', 'Plan', 'SIP realm'],
    pick: { name: 'Status', value: 'Active', search: { is_active: '1' } },
  },
  {
    path: 'applications',
    title: 'Applications',
    filter: 'Filter applications',
    text: 'item',
    heads: ['Name', 'Account'],
    account: 'Account',
  },
  {
    path: 'carriers',
    title: 'Carriers',
    filter: 'Filter carriers',
    text: 'item',
    heads: ['Name', 'Status', 'Used by'],
    account: 'Used by',
  },
  {
    path: 'clients',
    title: 'SIP clients',
    filter: 'Filter SIP clients',
    text: 'item',
    heads: ['Username', 'Status', 'Account'],
    account: 'Account',
  },
  {
    path: 'ms-teams-tenants',
    title: 'Microsoft Teams tenants',
    filter: 'Filter Microsoft Teams tenants',
    text: 'item',
    heads: ['Domain name', 'Account', 'Application'],
    account: 'Account',
  },
  {
    path: 'speech-services',
    title: 'Speech services',
    filter: 'Filter speech services',
    text: 'item',
    heads: ['Vendor', 'Label', 'Used by'],
    account: 'Used by',
  },
  {
    path: 'phone-numbers',
    title: 'Phone numbers',
    filter: 'Filter phone numbers',
    text: '1212555',
    heads: ['Number', 'Account', 'Application', 'Carrier'],
    account: 'Account',
  },
  {
    path: 'least-cost-routing',
    title: 'Outbound call routing',
    filter: 'Filter outbound call routes',
    text: 'item',
    heads: ['Name', 'Status', 'Used by'],
  },
]

/**
 * The lists that a v1 server sends unpaged. They lack the names of other records, so these columns are not sortable.
 */
const whole = new Set(['users', 'accounts', 'applications', 'clients', 'ms-teams-tenants', 'least-cost-routing'])
const namesOfOthers = new Set(['Account', 'Application', 'Carrier', 'Used by'])

const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const rows = (page: Page) => page.locator('tbody tr')
const address = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** Polls at shorter intervals than usual, because these tests wait often. */
const soon = <Seen>(look: () => Seen | Promise<Seen>, message?: string) =>
  expect.poll(look, { intervals: [30, 60, 100], ...(message ? { message } : {}) })

/** The texts of a column, in row order. */
const column = async (page: Page, name: string) => {
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

const sortsByEveryHead = async (page: Page, { heads }: List) => {
  await expect(rows(page)).toHaveCount(30)
  const buttons = page.getByRole('columnheader').getByRole('button')
  if (heads.length > 0) await expect(buttons).toContainText(heads)
  else await expect(buttons).toHaveCount(0)
  for (const [at, name] of heads.entries()) {
    const press = () => head(page, name).getByRole('button').click()
    // Lists are initially sorted by their first column.
    if (at > 0) await press()
    await expect(head(page, name)).toHaveAttribute('aria-sort', 'ascending')
    // Until the response arrives, the old rows remain, which could happen to be sorted by this column too.
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await soon(async () => directionOf(await column(page, name)), `${name}, first`).toBeDefined()
    const up = directionOf(await column(page, name)) ?? 0
    await press()
    await expect(head(page, name)).toHaveAttribute('aria-sort', 'descending')
    await soon(async () => directionOf(await column(page, name)), `${name}, the other way`).toBe(-up)
  }
}

/** The visible state of a list. */
const seen = async (page: Page, { filter, heads }: List) => ({
  address: address(page),
  filter: await page.getByRole('searchbox', { name: filter }).inputValue(),
  picks: await page.getByRole('main').getByRole('combobox').allTextContents(),
  sorts: await head(page, heads[0] ?? '').getAttribute('aria-sort'),
  page: await page.getByRole('navigation', { name: 'Pagination' }).locator('[aria-current]').textContent(),
  names: await column(page, heads[0] ?? ''),
})

const keepsItsAddress = async (page: Page, list: List) => {
  const { filter, text, account, pick, heads, path } = list
  // Click the header while the filter still waits for more input.
  await page.getByRole('searchbox', { name: filter }).fill(text)
  await head(page, heads[0] ?? '')
    .getByRole('button')
    .click()
  const sort = { sort: expect.stringMatching(/^-/) as unknown }
  await soon(() => address(page)).toEqual({ text, ...sort })
  await choose(page, 'Page size', '50 / page')
  await expect(rows(page)).toHaveCount(30)
  await page.reload()
  await expect(rows(page)).toHaveCount(30)
  expect(address(page)).toEqual({ text, ...sort, page_size: '50' })
  await choose(page, 'Page size', '25 / page')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page)).toHaveCount(5)
  await page.goBack()
  await expect(rows(page)).toHaveCount(25)
  if (pick) await choose(page, pick.name, pick.value)
  if (account) {
    await choose(page, account, 'item 01')
    await expect(page.getByText('Total: 27 records')).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(rows(page)).toHaveCount(2)
  } else await expect(rows(page)).toHaveCount(pick ? 15 : 25)
  const account_ = account ? { account: expect.any(String) as unknown, page: '2' } : {}
  expect(address(page)).toEqual({ text, ...sort, ...pick?.search, ...account_ })

  const before = await seen(page, list)
  const same = () => soon(() => seen(page, list)).toEqual(before)
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
    await addThirty(platform, api)
  })

  for (const list of lists)
    test(`of ${list.title} keeps its state in the URL and sorts by its column headings`, async ({
      page,
      platform,
      admin,
    }) => {
      await enter(page, platform, admin, `/internal/${list.path}`)
      await expect(heading(page, list.title)).toBeVisible()
      await keepsItsAddress(page, list)
      await page.goto(`${platform.url}/internal/${list.path}?text=${list.text}&page_size=50`)
      await sortsByEveryHead(page, list)
    })

  test('lists of a v1 server sort by their column headers', async ({ page, platform, admin }) => {
    test.setTimeout(120_000)
    const plain = await startPlainApi(platform)
    const front = await startServer({ API_BASE_URL: plain.url })
    try {
      await page.goto(front.url)
      await signIn(page, admin.name, admin.password)
      await expect(heading(page, 'Accounts')).toBeVisible()
      // A v1 server lists only the provider's speech services here, but these belong to accounts.
      for (const list of lists.filter(({ path }) => path !== 'speech-services')) {
        await page.goto(`${front.url}/internal/${list.path}?text=${list.text}&page_size=50`)
        await expect(heading(page, list.title)).toBeVisible()
        const heads = whole.has(list.path) ? list.heads.filter((name) => !namesOfOthers.has(name)) : []
        await sortsByEveryHead(page, { ...list, heads })
      }
    } finally {
      await front.dispose()
      await plain.close()
    }
  })
})
