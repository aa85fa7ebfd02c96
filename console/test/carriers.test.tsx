import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { useBackend, type TestUser } from './render'

const { render, requestAs, testData, backend } = useBackend()

const findRow = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr')!)

describe('the list of carriers', () => {
  it('shows whether a carrier is active and how many gateways it has', async () => {
    await render('/internal/carriers', { as: 'provider' })
    const acmeRow = await findRow('acme trunk')
    expect(acmeRow.getByText('Active')).toBeTruthy()
    expect(acmeRow.getByText('1 inbound')).toBeTruthy()
    expect(acmeRow.getByText('1 outbound')).toBeTruthy()
    expect(acmeRow.getByRole('link', { name: 'acme' })).toBeTruthy()
    expect((await findRow('North shared')).getByText('All accounts')).toBeTruthy()
    expect(await screen.findByRole('button', { name: /Used by/ })).toBeTruthy()
  })

  it('shows whether a carrier that requires registration is registered', async () => {
    const { db } = backend().database
    const registration = { requires_register: 1, register_username: 'me', register_password: 'secret' }
    const setRegisterStatus = (sid: string, register_status: string) =>
      db
        .updateTable('voip_carriers')
        .set({ ...registration, register_status })
        .where('voip_carrier_sid', '=', sid)
        .execute()
    await setRegisterStatus(testData().acme.voip_carrier, JSON.stringify({ status: 'ok' }))
    await setRegisterStatus(testData().bolt.voip_carrier, JSON.stringify({ status: 'fail', reason: '403 Forbidden' }))
    await render('/internal/carriers', { as: 'provider' })
    expect((await findRow('acme trunk')).getByText('Registered')).toBeTruthy()
    expect((await findRow('bolt trunk')).getByText('Unregistered')).toBeTruthy()
    expect((await findRow('North shared')).queryByText(/egistered/)).toBeNull()
  })

  it("shows that a registration has not started, in the same words as the carrier's form", async () => {
    const registration = { requires_register: 1, register_username: 'me', register_password: 'secret' }
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'Idle trunk',
      ...registration,
    })
    const { navigate } = await render('/internal/carriers', { as: 'provider' })
    expect((await findRow('Idle trunk')).getByText(messages.notStarted)).toBeTruthy()
    await navigate(`/internal/carriers/${sid}/edit`)
    expect(await screen.findByText('Register status')).toBeTruthy()
    expect(screen.getByText(messages.notStarted)).toBeTruthy()
    await requestAs('north', 'DELETE', `/VoipCarriers/${sid}`)
  })

  it("filters by an account's own carriers, or by shared carriers", async () => {
    const { user, currentPath } = await render('/internal/carriers', { as: 'provider' })
    const names = () =>
      screen.getAllByRole('link', { name: /^\w+ (trunk|shared)$/ }).map(({ textContent }) => textContent)
    await findRow('bolt trunk')
    await user.click(screen.getByRole('combobox', { name: 'Used by' }))
    await user.click(await screen.findByRole('option', { name: 'acme', hidden: true }))
    await waitFor(() => expect(names()).toEqual(['acme trunk']))
    await user.click(screen.getByRole('combobox', { name: 'Used by' }))
    await user.click(await screen.findByRole('option', { name: 'All accounts (shared)', hidden: true }))
    await waitFor(() => expect(names()).toEqual(['North shared']))
    expect(currentPath()).toContain('account=shared')
  })

  it('shows an account user the shared carriers without buttons to change them', async () => {
    await render('/internal/carriers', { as: 'account' })
    expect((await findRow('acme trunk')).getByRole('link', { name: 'Edit acme trunk' })).toBeTruthy()
    const sharedRow = await findRow('North shared')
    expect(sharedRow.queryByRole('link', { name: 'Edit North shared' })).toBeNull()
    expect(sharedRow.queryByRole('button', { name: 'Delete North shared' })).toBeNull()
    expect(await screen.findByText('acme.example.com')).toBeTruthy()
  })

  it('does not delete a carrier with phone numbers, and links to them', async () => {
    const { user } = await render('/internal/carriers', { as: 'provider' })
    await user.click((await findRow('bolt trunk')).getByRole('button', { name: 'Delete bolt trunk' }))
    // a refused deletion shows no confirmation first
    expect(await screen.findByRole('heading', { name: "bolt trunk can't be deleted" })).toBeTruthy()
    const link = screen.getByRole('link', { name: '(555) 000-0012' })
    expect(link.getAttribute('href')).toBe(`/internal/phone-numbers/${testData().bolt.phone_number}`)
  })

  it('deletes carriers without dependents, and offers the next steps when the list is empty', async () => {
    await requestAs('corp', 'DELETE', `/PhoneNumbers/${testData().corp.phone_number}`)
    const { user } = await render('/internal/carriers', { as: 'south' })
    for (const name of ['corp trunk', 'South shared']) {
      await user.click((await findRow(name)).getByRole('button', { name: `Delete ${name}` }))
      await user.click(await screen.findByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.getByText(messages.removed(name))).toBeTruthy())
    }
    expect(await screen.findByText(messages.none)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Choose a predefined carrier' })).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'Add carrier' }).length).toBeGreaterThan(0)
  })
})

describe('with default applications of carriers reserved for administrators', () => {
  const features = { defaultTrunkRouting: false }
  const applicationField = () => screen.queryByRole('combobox', { name: 'Default application' })

  it.each<[TestUser, boolean]>([
    ['admin', true],
    ['provider', false],
    ['account', false],
  ])('the form of %s has the field: %s', async (as, hasField) => {
    localStorage.setItem('activeServiceProvider', testData().providers.north)
    await render('/internal/carriers/add', { as, features })
    await screen.findByLabelText('Tech prefix')
    expect(applicationField() !== null).toBe(hasField)
  })

  it('is kept when a provider user saves the carrier', async () => {
    const { acme, accounts } = testData()
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'Answered',
      account_sid: accounts.acme,
      application_sid: acme.application,
      sip_gateways: [{ ipv4: '192.0.2.200', inbound: 1, outbound: 1 }],
    })
    const carrierPath = `/VoipCarriers/${sid}`
    await render(`/internal/carriers/${sid}/edit`, { as: 'provider', features })
    fireEvent.change(await screen.findByLabelText('Tech prefix'), { target: { value: '4471' } })
    fireEvent.click(screen.getByText('Save'))
    expect(await screen.findByText(messages.saved)).toBeTruthy()
    expect(await requestAs('north', 'GET', carrierPath)).toMatchObject({
      tech_prefix: '4471',
      application_sid: acme.application,
    })
  })
})
