import { setTimeout as delay } from 'node:timers/promises'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const webhook = { url: 'https://app.example.com/hook' }
const applicationCount = 60

beforeAll(async () => {
  const { acme } = testData().accounts
  for (let index = 0; index < applicationCount; index++)
    await requestAs('north', 'POST', '/Applications', {
      name: `queue ${String(index).padStart(2, '0')}`,
      account_sid: acme,
      call_hook: webhook,
      call_status_hook: webhook,
    })
})

/** Reads the DOM directly: queries by role take seconds in long tables. */
const rowNames = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.textContent)

const findTotal = (records: number) => screen.findByText(`Total: ${records} ${records === 1 ? 'record' : 'records'}`)

describe('a list', () => {
  it('shows a page and the total, and keeps the page in the URL', async () => {
    const { user, currentPath } = await render('/internal/applications', { as: 'provider' })
    await findTotal(62)
    expect(rowNames()).toHaveLength(25)
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    await waitFor(() => expect(rowNames()).toHaveLength(12))
    expect(currentPath()).toBe('/internal/applications?page=3')
  })

  it('filters on the server, returns to page 1, and keeps the filter in the URL', async () => {
    const { user, currentPath } = await render('/internal/applications?page=2', { as: 'provider' })
    await user.type(await screen.findByRole('searchbox', { name: 'Filter applications' }), 'QUEUE 1')
    await findTotal(10)
    expect(currentPath()).toBe('/internal/applications?text=QUEUE+1')
    expect(rowNames()[0]).toBe('queue 10')
  })

  it('sorts on the server', async () => {
    const { user, currentPath } = await render('/internal/applications?text=queue', { as: 'provider' })
    await findTotal(60)
    await user.click(await screen.findByRole('button', { name: /^Name/ }))
    await waitFor(() => expect(rowNames()[0]).toBe('queue 59'))
    expect(currentPath()).toBe('/internal/applications?text=queue&sort=-name')
  })

  it('restores filter, sort order and page from the URL', async () => {
    await render('/internal/applications?text=queue&sort=-name&page=2&page_size=50', { as: 'provider' })
    await findTotal(60)
    await waitFor(() => expect(rowNames()[0]).toBe('queue 09'))
    expect(rowNames()).toHaveLength(10)
  })

  it('returns the focus to the opened row', async () => {
    const { user } = await render('/internal/applications?text=queue&page=2', { as: 'provider' })
    await waitFor(() => expect(rowNames()[0]).toBe('queue 25'))
    await user.click(screen.getByText('queue 30'))
    await user.click(await screen.findByRole('link', { name: 'Settings of queue 30' }))
    await user.click(await screen.findByText('Cancel'))
    await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('queue 30'))
  })

  it('redirects to the last page if the page number is too high', async () => {
    const { currentPath } = await render('/internal/applications?page=40', { as: 'provider' })
    await waitFor(() => expect(currentPath()).toBe('/internal/applications?page=3'))
  })

  it('keeps a page number that is too high out of the history', async () => {
    const { navigate, goBack, currentPath } = await render('/internal/applications?page=2', { as: 'provider' })
    await findTotal(62)
    await navigate('/internal/applications?page=40')
    await waitFor(() => expect(currentPath()).toBe('/internal/applications?page=3'))
    goBack()
    await waitFor(() => expect(currentPath()).toBe('/internal/applications?page=2'))
    await waitFor(() => expect(rowNames()).toHaveLength(25))
    expect(currentPath()).toBe('/internal/applications?page=2')
  })

  it('shows a message if nothing matches, and clears the filters', async () => {
    const { user } = await render('/internal/applications?text=nonsense', { as: 'provider' })
    await screen.findByRole('heading', { name: 'Nothing matches these filters.' })
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await findTotal(62)
  })

  it('keeps the order of the rows and the view when the filters are cleared', async () => {
    const { user, currentPath } = await render('/internal/recent-calls?order=asc&date=7&text=nonsense', {
      as: 'provider',
    })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(currentPath()).toBe('/internal/recent-calls?order=asc'))
  })

  it.each([
    ['a list of records', '/internal/applications?account=', 'Filter applications'],
    ['a list of events', '/internal/recent-calls?date=7&account=', 'Filter'],
  ])('clears the typed text that is not applied yet together with the filters of %s', async (title, path, label) => {
    const account = { name: title, service_provider_sid: testData().providers.north }
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/Accounts', account)
    const { currentPath } = await render(path + sid, { as: 'provider' })
    const button = await screen.findByRole('button', { name: 'Clear filters' })
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'nonsense' } })
    fireEvent.click(button)
    await waitFor(() => expect(currentPath()).not.toContain('?'))
    // longer than the delay after typing
    await delay(1200)
    expect(currentPath()).not.toContain('?')
    expect(screen.getByLabelText(label)).toHaveProperty('value', '')
  })

  it('filters by account', async () => {
    const { user, currentPath } = await render('/internal/applications', { as: 'provider' })
    await findTotal(62)
    await user.click(screen.getByRole('combobox', { name: 'Account' }))
    await user.click(await screen.findByRole('option', { name: 'bolt' }))
    await findTotal(1)
    expect(currentPath()).toBe(`/internal/applications?account=${testData().accounts.bolt}`)
    expect(rowNames()).toEqual(['bolt app'])
  })

  it('shows an account user only their own records, without the account filter', async () => {
    await render('/internal/applications', { as: 'bolt' })
    await findTotal(1)
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
  })
})

describe('deleting from a list', () => {
  it('asks for confirmation with the name, deletes and confirms', async () => {
    const { user } = await render('/internal/applications?text=queue 59', { as: 'provider' })
    await user.click(await screen.findByRole('button', { name: 'Delete queue 59' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('queue 59')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Deleted application queue 59')
    await screen.findByRole('heading', { name: 'Nothing matches these filters.' })
  })

  it('deletes nothing after Cancel', async () => {
    const { user } = await render('/internal/applications?text=queue 58', { as: 'provider' })
    await user.click(await screen.findByRole('button', { name: 'Delete queue 58' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(await requestAs<object[]>('north', 'GET', '/Applications?name=queue 58')).toHaveLength(1)
  })

  it('lists the dependents of the record', async () => {
    const { user } = await render('/internal/applications?text=bolt', { as: 'provider' })
    await user.click(await screen.findByRole('button', { name: 'Delete bolt app' }))
    const dialog = await screen.findByRole('alertdialog', { name: "bolt app can't be deleted" })
    expect(within(dialog).getByRole('link').getAttribute('href')).toBe(
      `/internal/phone-numbers/${testData().bolt.phone_number}`,
    )
  })
})

describe('names of owners in a list', () => {
  it('are part of the rows', async () => {
    await render('/internal/applications?text=bolt', { as: 'provider' })
    const row = await screen.findByRole('row', { name: /bolt app/ })
    expect(within(row).getByText('bolt')).toBeTruthy()
  })
})
