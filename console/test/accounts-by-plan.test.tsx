import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend({ hostedEdition })
const hosted = { hosted: true }
const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const addAccount = (name: string, draft: object) =>
  requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
    service_provider_sid: testData().providers.north,
    name,
    ...draft,
  })
const findRow = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!
/** The headings, without that of the checkboxes. */
const getHeads = () =>
  screen
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter(Boolean)

describe('the list of accounts in the hosted edition', () => {
  it('shows plan, capacity and the end of the trial, and counts the accounts of each plan', async () => {
    await addAccount('Wren & Daughters', { plan_type: 'trial', trial_end_date: inDays(2) })
    await addAccount('Dunmore Freight', { plan_type: 'free', is_active: 0, trial_end_date: inDays(-3) })
    await render('/internal/accounts', { as: 'north', features: hosted })
    const trialRow = within(await findRow('Wren & Daughters'))
    expect(trialRow.getByText('Trial')).toBeTruthy()
    expect(trialRow.getByText('Trial ends in 2 days')).toBeTruthy()
    const expiredRow = within(await findRow('Dunmore Freight'))
    expect(expiredRow.getByText('Trial expired')).toBeTruthy()
    expect(expiredRow.getByText('Trial ended')).toBeTruthy()
    // no account pays, so there are no amounts
    expect(getHeads()).toEqual(['Name', 'Plan', 'Calls', 'Devices', 'Date', 'Event', 'SIP realm', 'Actions'])
    expect(screen.queryByText(/Monthly total/)).toBeNull()
    const tabs = within(screen.getByRole('navigation', { name: 'Plan' }))
    expect(await tabs.findByRole('link', { name: 'Trial 3' })).toBeTruthy()
    expect(tabs.getByRole('link', { name: 'Trial expired 1' })).toBeTruthy()
    expect(tabs.getByRole('link', { name: /^All \d/, current: 'page' })).toBeTruthy()
  })

  it('keeps the plan and the other filters in the URL', async () => {
    await render('/internal/accounts?plan=trial_expired&text=dun', { as: 'north', features: hosted })
    await findRow('Dunmore Freight')
    expect(screen.queryByRole('link', { name: 'Wren & Daughters' })).toBeNull()
    const tabs = within(screen.getByRole('navigation', { name: 'Plan' }))
    const current = await tabs.findByRole('link', { name: /^Trial expired/ })
    expect(current.getAttribute('aria-current')).toBe('page')
    expect(tabs.getByRole('link', { name: /^Paid/ }).getAttribute('href')).toBe('/internal/accounts?text=dun&plan=paid')
    expect(tabs.getByRole('link', { name: /^All/ }).getAttribute('href')).toBe('/internal/accounts?text=dun')
  })

  it('remains as it is without the hosted edition', async () => {
    await render('/internal/accounts', { as: 'north' })
    await findRow('Wren & Daughters')
    expect(getHeads()).toEqual(['Name', 'Status', 'Plan', 'SIP realm', 'SID', 'Call recording', 'Actions'])
    expect(screen.queryByRole('navigation', { name: 'Plan' })).toBeNull()
  })
})
