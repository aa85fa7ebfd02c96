import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { messages } from '@trunkline/contract/messages/phone-number'
import { describe, expect, it, vi } from 'vitest'
import { startV1Server } from './v1-server'
import { expectValue } from './form-inputs'
import { useBackend, type Screen } from './render'

const { render, ask, backend, world } = useBackend()

type User = Screen['user']

const said = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const option = (name: string) => screen.findByRole('option', { name, hidden: true })
const numbers = () => ask<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')
const stored = async (number: string) => (await numbers()).find((row) => row.number === number)
const add = (number: string, account_sid: string) =>
  ask('north', 'POST', '/PhoneNumbers', { number, account_sid, voip_carrier_sid: world().shared.north.voip_carrier })

const pick = async (user: User, field: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }))
  await user.click(await option(name))
}

const type = async (user: User, input: HTMLElement, text: string) => {
  await user.click(input)
  await user.paste(text)
}

describe('the phone numbers', () => {
  it('are listed with account, application and carrier', async () => {
    await render('/internal/phone-numbers', { as: 'provider' })
    const row = within((await screen.findByRole('link', { name: '(555) 000-0011' })).closest('tr')!)
    for (const name of ['acme', 'acme app', 'acme trunk']) expect(row.getByRole('link', { name })).toBeTruthy()
  })

  it('are found in any notation', async () => {
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    await screen.findByText('(555) 000-0012')
    await type(user, screen.getByLabelText('Filter phone numbers'), '(555) 000-0011')
    await waitFor(() => expect(screen.queryByText('(555) 000-0012')).toBeNull())
    expect(screen.getByText('(555) 000-0011')).toBeTruthy()
  })

  it('are assigned to an application together', async () => {
    const { accounts, acme } = world()
    for (const number of ['15550001001', '15550001002', '15550001003']) await add(number, accounts.acme)
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    for (const number of ['15550001001', '15550001002', '15550001003'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    // the selection bar is loaded on demand
    expect(await screen.findByText('3 selected')).toBeTruthy()
    await pick(user, 'Application', 'acme app')
    // an account may have thousands of applications, so they are searched on the server
    const asked = fetched.mock.calls.map(([to]) => to as string).filter((to) => to.includes('/Applications'))
    fetched.mockRestore()
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((to) => !/[?&]page=1&page_size=50/.test(to))).toEqual([])
    expect(screen.queryByRole('option', { name: 'bolt app', hidden: true })).toBeNull()
    await user.click(screen.getByText('Apply'))
    await said(messages.updated)
    expect(screen.queryByText('3 selected')).toBeNull()
    const changed = (await numbers()).filter(({ number }) => number.startsWith('1555000100'))
    expect(changed.map(({ application_sid }) => application_sid)).toEqual(Array(3).fill(acme.application))
  })

  it('of different accounts can only have their application removed together', async () => {
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    await user.click(await screen.findByLabelText('Select 15550000011'))
    // an application of the first number's account is not valid for both
    await pick(user, 'Application', 'acme app')
    await user.click(screen.getByLabelText('Select 15550000012'))
    expect(await screen.findByText(messages.severalAccounts)).toBeTruthy()
    await pick(user, 'Application', 'None')
    expect(screen.queryByRole('option', { name: /app$/, hidden: true })).toBeNull()
    await user.click(screen.getByText('Apply'))
    await said(messages.updated)
    const changed = (await numbers()).filter(({ number }) => /^1555000001[12]$/.test(number))
    expect(changed.map(({ application_sid }) => application_sid)).toEqual([null, null])
    for (const { phone_number, application } of [world().acme, world().bolt])
      await ask('provider', 'PUT', `/PhoneNumbers/${phone_number}`, { application_sid: application })
  })

  it('without an account are assigned to one, with an application, in the selection bar', async () => {
    const voip_carrier_sid = world().shared.north.voip_carrier
    for (const number of ['15550001021', '15550001022'])
      await ask('north', 'POST', '/PhoneNumbers', { number, voip_carrier_sid })
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    for (const number of ['15550001021', '15550001022'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    await said(messages.withoutAccount)
    // the filters stay visible
    expect(screen.getByLabelText('Filter phone numbers')).toBeTruthy()
    expect(screen.getByText<HTMLButtonElement>('Apply').disabled).toBe(true)
    const bar = within(screen.getByRole('group', { name: 'Selection' }))
    await user.click(bar.getByRole('combobox', { name: 'Account' }))
    await user.click(await option('bolt'))
    await pick(user, 'Application', 'bolt app')
    await user.click(screen.getByText('Apply'))
    await said(messages.updated)
    const { accounts, bolt } = world()
    for (const number of ['15550001021', '15550001022'])
      expect(await stored(number)).toMatchObject({ account_sid: accounts.bolt, application_sid: bolt.application })
  })
})

describe('with a server that saves one number at a time', () => {
  it('shows the changes before a failure, and keeps the numbers selected', async () => {
    const { accounts, acme } = world()
    for (const number of ['15550001011', '15550001012']) await add(number, accounts.acme)
    const older = await startV1Server(backend().app)
    const { user } = await render('/internal/phone-numbers', { as: 'provider', features: { apiBaseUrl: older.base } })
    for (const number of ['15550001011', '15550001012'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    // another user deletes one of them first
    await ask('north', 'DELETE', `/PhoneNumbers/${(await stored('15550001011'))!.phone_number_sid}`)
    await pick(user, 'Application', 'acme app')
    await user.click(screen.getByText('Apply'))
    await waitFor(() => expect(screen.queryByText('(555) 000-1011')).toBeNull())
    const row = within(screen.getByText('(555) 000-1012').closest('tr')!)
    expect(await row.findByText('acme app')).toBeTruthy()
    expect((await stored('15550001012'))?.application_sid).toBe(acme.application)
    expect(screen.queryByText(messages.updated)).toBeNull()
    older.close()
  })
})

describe('the form of a phone number', () => {
  it('adds a number over the chosen carrier and opens the list', async () => {
    const { user, address } = await render('/internal/phone-numbers/add', { as: 'provider' })
    const number = await screen.findByLabelText(/Phone number/)
    // the hint shows the country and the missing digits while typing
    for (const [typed, help] of [
      ['', messages.internationalForm],
      ['+49 30', 'Germany, +49'],
      ['+999', messages.unknownCountryCode],
      ['+1 (555) 000', `${messages.northAmerica}, +1 – 4 digits missing`],
    ] as const) {
      fireEvent.change(number, { target: { value: typed } })
      expect(await screen.findByText(help)).toBeTruthy()
    }
    fireEvent.change(number, { target: { value: '' } })
    await type(user, number, '+1 (555) 000-2001')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Application' }).disabled).toBe(true)
    await pick(user, 'Account', 'bolt')
    await pick(user, 'Application', 'bolt app')
    await pick(user, 'Carrier', 'North shared')
    await user.click(screen.getByText('Save'))
    await said(messages.added)
    expect(address()).toBe('/internal/phone-numbers')
    expect(await stored('15550002001')).toMatchObject({
      account_sid: world().accounts.bolt,
      application_sid: world().bolt.application,
      voip_carrier_sid: world().shared.north.voip_carrier,
    })
  })

  it('marks a duplicate number at the field', async () => {
    await add('15550003001', world().accounts.acme)
    const { user, address } = await render('/internal/phone-numbers/add', { as: 'provider' })
    const input = await screen.findByLabelText(/Phone number/)
    await user.click(screen.getByText('Save'))
    await said('Phone number is required.')
    await type(user, input, '15550003001')
    await pick(user, 'Carrier', 'North shared')
    await user.click(screen.getByText('Save'))
    await said(messages.duplicateNumber)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(address()).toBe('/internal/phone-numbers/add')
  })

  it('marks a duplicate number of another carrier too', async () => {
    await add('15550003002', world().accounts.acme)
    const { user } = await render('/internal/phone-numbers/add', { as: 'account' })
    const input = await screen.findByLabelText(/Phone number/)
    await type(user, input, '+1 555 000 3002')
    await pick(user, 'Carrier', 'acme trunk')
    await user.click(screen.getByText('Save'))
    await said(messages.duplicateNumber)
    expect(input.getAttribute('aria-invalid')).toBe('true')
  })

  it('changes only account and application, and stays open', async () => {
    const edit = `/internal/phone-numbers/${world().bolt.phone_number}/edit`
    const { user, address } = await render(edit, { as: 'provider' })
    expect((await screen.findByLabelText<HTMLInputElement>(/Phone number/)).readOnly).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /Carrier/ }).disabled).toBe(true)
    await expectValue('Application', 'bolt app')
    await pick(user, 'Application', messages.chooseApplication)
    await user.click(screen.getByText('Save'))
    await said(messages.saved)
    expect(address()).toBe(edit)
    expect((await stored('15550000012'))?.application_sid).toBeNull()
  })

  it('shows the name of a carrier even if the account has more than one page of them', async () => {
    for (let at = 0; at < 51; at++) await ask('acme', 'POST', '/VoipCarriers', { name: `a ${at}` })
    await add('15550004001', world().accounts.acme)
    const { phone_number_sid } = (await stored('15550004001'))!
    await render(`/internal/phone-numbers/${phone_number_sid}/edit`, { as: 'account' })
    expect((await screen.findByRole('combobox', { name: /Carrier/ })).textContent).toBe('North shared')
  })

  it('requires a carrier first', async () => {
    const { corp, shared } = world()
    await ask('corp', 'DELETE', `/PhoneNumbers/${corp.phone_number}`)
    for (const sid of [corp.voip_carrier, shared.south.voip_carrier])
      await ask('south', 'DELETE', `/VoipCarriers/${sid}`)
    await render('/internal/phone-numbers/add', { as: 'south' })
    expect(await screen.findByText(messages.needsCarrier)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Add carrier' }).getAttribute('href')).toBe('/internal/carriers/add')
  })
})
