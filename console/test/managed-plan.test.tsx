import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend({ hostedEdition })
const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const addAccount = async (name: string, draft: object) =>
  (
    await requestAs<{ sid: string }>('admin', 'POST', '/Accounts', {
      service_provider_sid: testData().providers.north,
      name,
      ...draft,
    })
  ).sid
const readAccount = (sid: string) => requestAs<Account>('admin', 'GET', `/Accounts/${sid}`)
const openAccount = async (sid: string) => {
  const { user } = await render(`/internal/accounts/${sid}/edit`, { as: 'north', features: { hosted: true } })
  return { user, box: within(await screen.findByRole('region', { name: 'Plan' })) }
}

describe('the plan of an account, for its provider', () => {
  it('extends a trial, and takes that back', async () => {
    const sid = await addAccount('Wren', { plan_type: 'trial', trial_end_date: inDays(2) })
    const { trial_end_date } = await readAccount(sid)
    const { user, box } = await openAccount(sid)
    await user.click(await box.findByRole('button', { name: 'Extend trial' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Extend trial' }))
    const field = dialog.getByLabelText('Trial ends')
    fireEvent.change(field, { target: { value: '2020-01-01' } })
    await user.click(dialog.getByRole('button', { name: 'Extend trial' }))
    expect(dialog.getByText('Choose a date in the future.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field))
    // the server's own rule is shown at the field too
    fireEvent.change(field, { target: { value: '2099-01-01' } })
    await user.click(dialog.getByRole('button', { name: 'Extend trial' }))
    expect(await dialog.findByText('A trial can be at most one year long.')).toBeTruthy()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    fireEvent.change(field, { target: { value: inDays(30).slice(0, 10) } })
    await user.click(dialog.getByRole('button', { name: 'Extend trial' }))
    expect(await box.findByText(/^The trial ends on/)).toBeTruthy()
    expect(new Date((await readAccount(sid)).trial_end_date ?? 0).getTime()).toBeGreaterThan(Date.now() + 28 * dayMs)
    await user.click(box.getByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect((await readAccount(sid)).trial_end_date).toBe(trial_end_date))
  })

  it('shows why an account was deactivated, reactivates it, and takes that back', async () => {
    const reason = { is_active: 0, deactivated_reason: 'trial expired' }
    const sid = await addAccount('Dunmore', { plan_type: 'free', trial_end_date: inDays(-3) })
    await requestAs('admin', 'PUT', `/Accounts/${sid}`, reason)
    const { user, box } = await openAccount(sid)
    expect(await box.findByText('trial expired')).toBeTruthy()
    expect(box.getByText('Trial expired')).toBeTruthy()
    await user.click(await box.findByRole('button', { name: 'Reactivate' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Reactivate' }))
    await user.click(dialog.getByRole('button', { name: 'Reactivate' }))
    expect(await box.findByText('The account is active.')).toBeTruthy()
    expect(await box.findByText('Free')).toBeTruthy()
    expect(await readAccount(sid)).toMatchObject({ is_active: 1, deactivated_reason: null })
    await user.click(box.getByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect(await readAccount(sid)).toMatchObject(reason))
  })

  it('offers no changes of a paid plan', async () => {
    const sid = await addAccount('Cedar', { plan_type: 'paid' })
    const { box } = await openAccount(sid)
    expect(await box.findByText('Paid')).toBeTruthy()
    await screen.findByRole('textbox', { name: /^Account name/ })
    expect(box.queryByRole('button')).toBeNull()
  })

  it('is named in the dialog that deletes the account, if it is paid', async () => {
    const sid = await addAccount('Larkspur', { plan_type: 'paid' })
    const { user } = await openAccount(sid)
    const [button] = await screen.findAllByRole('button', { name: 'Delete' })
    await user.click(button!)
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete account' }))
    expect(dialog.getByText(messages.removalCancelsSubscription)).toBeTruthy()
  })
})
