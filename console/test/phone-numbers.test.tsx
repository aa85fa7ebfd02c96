import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/phone-number'
import { describe, expect, it, vi } from 'vitest'
import { startV1Server } from './v1-server'
import { expectValue } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()

const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })
const listNumbers = () => requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')
const findStoredNumber = async (number: string) => (await listNumbers()).find((row) => row.number === number)
const addNumber = (number: string, account_sid: string) =>
  requestAs('north', 'POST', '/PhoneNumbers', {
    number,
    account_sid,
    voip_carrier_sid: testData().shared.north.voip_carrier,
  })

const selectOption = async (user: UserEvent, field: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }))
  await user.click(await findOption(name))
}

const pasteText = async (user: UserEvent, input: HTMLElement, text: string) => {
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
    await pasteText(user, screen.getByLabelText('Filter phone numbers'), '(555) 000-0011')
    await waitFor(() => expect(screen.queryByText('(555) 000-0012')).toBeNull())
    expect(screen.getByText('(555) 000-0011')).toBeTruthy()
  })

  it('are filtered by application and by carrier', async () => {
    const { acme } = testData()
    const { user, currentPath } = await render('/internal/phone-numbers', { as: 'provider' })
    await screen.findByText('(555) 000-0012')
    const filters = within(screen.getByRole('group', { name: 'Filters' }))
    for (const [filter, name, search] of [
      ['Answered by', 'acme app', `?application=${acme.application}`],
      ['Carrier', 'acme trunk', `?carrier=${acme.voip_carrier}`],
    ] as const) {
      await user.click(await filters.findByRole('combobox', { name: filter }))
      await user.click(await findOption(name))
      await waitFor(() => expect(currentPath()).toBe(`/internal/phone-numbers${search}`))
      await waitFor(() => expect(screen.queryByText('(555) 000-0012')).toBeNull())
      expect(screen.getByText('(555) 000-0011')).toBeTruthy()
      await user.click(filters.getByRole('button', { name: `Remove filter ${filter}` }))
      await screen.findByText('(555) 000-0012')
    }
  })

  it('are filtered in the browser by carrier if a v1 server lists them all', async () => {
    const v1Server = await startV1Server(backend().app)
    await render(`/internal/phone-numbers?carrier=${testData().acme.voip_carrier}`, {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    await screen.findByText('(555) 000-0011')
    expect(screen.queryByText('(555) 000-0012')).toBeNull()
    v1Server.close()
  })

  it.each([
    ['carriers', () => `/carriers/${testData().acme.voip_carrier}`, () => `?carrier=${testData().acme.voip_carrier}`],
    [
      'applications',
      () => `/applications/${testData().acme.application}`,
      () => `?application=${testData().acme.application}`,
    ],
  ] as const)('of %s are linked from their page, and show the name of the filter', async (_kind, path, search) => {
    for (const as of ['provider', 'account'] as const) {
      const { user, currentPath } = await render(`/internal${path()}`, { as })
      await user.click(await screen.findByRole('link', { name: /^Numbers/ }))
      await waitFor(() => expect(currentPath()).toBe(`/internal/phone-numbers${search()}`))
      await screen.findByText('(555) 000-0011')
      const filters = within(screen.getByRole('group', { name: 'Filters' }))
      expect(await filters.findByText(/^acme (app|trunk)$/)).toBeTruthy()
    }
  })

  it('are assigned to an application together', async () => {
    const { accounts, acme } = testData()
    for (const number of ['15550001001', '15550001002', '15550001003']) await addNumber(number, accounts.acme)
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    for (const number of ['15550001001', '15550001002', '15550001003'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    // the selection bar is loaded on demand
    expect(await screen.findByText('3 selected')).toBeTruthy()
    await selectOption(user, 'Application', 'acme app')
    // an account may have thousands of applications, so they are searched on the server
    const applicationRequests = fetchSpy.mock.calls
      .map(([requestUrl]) => requestUrl as string)
      .filter((requestUrl) => requestUrl.includes('/Applications'))
    fetchSpy.mockRestore()
    expect(applicationRequests.length).toBeGreaterThan(0)
    expect(applicationRequests.filter((requestUrl) => !/[?&]page=1&page_size=50/.test(requestUrl))).toEqual([])
    expect(screen.queryByRole('option', { name: 'bolt app', hidden: true })).toBeNull()
    await user.click(screen.getByText('Apply'))
    await expectText(messages.updated)
    expect(screen.queryByText('3 selected')).toBeNull()
    const changedNumbers = (await listNumbers()).filter(({ number }) => number.startsWith('1555000100'))
    expect(changedNumbers.map(({ application_sid }) => application_sid)).toEqual(Array(3).fill(acme.application))
  })

  it('of different accounts can only have their application removed together', async () => {
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    await user.click(await screen.findByLabelText('Select 15550000011'))
    // an application of the first number's account is not valid for both
    await selectOption(user, 'Application', 'acme app')
    await user.click(screen.getByLabelText('Select 15550000012'))
    expect(await screen.findByText(messages.severalAccounts)).toBeTruthy()
    await selectOption(user, 'Application', 'None')
    expect(screen.queryByRole('option', { name: /app$/, hidden: true })).toBeNull()
    await user.click(screen.getByText('Apply'))
    await expectText(messages.updated)
    const changedNumbers = (await listNumbers()).filter(({ number }) => /^1555000001[12]$/.test(number))
    expect(changedNumbers.map(({ application_sid }) => application_sid)).toEqual([null, null])
    for (const { phone_number, application } of [testData().acme, testData().bolt])
      await requestAs('provider', 'PUT', `/PhoneNumbers/${phone_number}`, { application_sid: application })
  })

  it('without an account are assigned to one, with an application, in the selection bar', async () => {
    const voip_carrier_sid = testData().shared.north.voip_carrier
    for (const number of ['15550001021', '15550001022'])
      await requestAs('north', 'POST', '/PhoneNumbers', { number, voip_carrier_sid })
    const { user } = await render('/internal/phone-numbers', { as: 'provider' })
    for (const number of ['15550001021', '15550001022'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    await expectText(messages.withoutAccount)
    // the filters stay visible
    expect(screen.getByLabelText('Filter phone numbers')).toBeTruthy()
    expect(screen.getByText<HTMLButtonElement>('Apply').disabled).toBe(true)
    const selectionBar = within(screen.getByRole('group', { name: 'Selection' }))
    await user.click(selectionBar.getByRole('combobox', { name: 'Account' }))
    await user.click(await findOption('bolt'))
    await selectOption(user, 'Application', 'bolt app')
    await user.click(screen.getByText('Apply'))
    await expectText(messages.updated)
    const { accounts, bolt } = testData()
    for (const number of ['15550001021', '15550001022'])
      expect(await findStoredNumber(number)).toMatchObject({
        account_sid: accounts.bolt,
        application_sid: bolt.application,
      })
  })
})

const deleteNumber = async (number: string) =>
  requestAs('north', 'DELETE', `/PhoneNumbers/${(await findStoredNumber(number))!.phone_number_sid}`)

/** Expects exactly these numbers in the list of failures, with the reason. */
const expectGone = async (...numbers: string[]) => {
  const failures = await screen.findByRole('list', { name: 'Failures' })
  expect(
    within(failures)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(numbers.map((number) => `${number} ${generalMessages.recordGone}`))
}

describe('phone numbers that another user deleted after their selection', () => {
  const selectAndDelete = async (numbers: string[], deletedNumbers: string[], features = {}) => {
    for (const number of numbers) await addNumber(number, testData().accounts.acme)
    const rendering = await render('/internal/phone-numbers', { as: 'provider', features })
    for (const number of numbers) await rendering.user.click(await screen.findByLabelText(`Select ${number}`))
    for (const number of deletedNumbers) await deleteNumber(number)
    await selectOption(rendering.user, 'Application', 'acme app')
    await rendering.user.click(screen.getByText('Apply'))
    return rendering
  }

  it('are named while the others are assigned', async () => {
    await selectAndDelete(['15550001031', '15550001032', '15550001033'], ['15550001031', '15550001033'])
    await expectGone('15550001031', '15550001033')
    await expectText(messages.updated)
    expect((await findStoredNumber('15550001032'))?.application_sid).toBe(testData().acme.application)
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull())
  })

  it('are named if no other is selected', async () => {
    await selectAndDelete(['15550001034'], ['15550001034'])
    await expectGone('15550001034')
    expect(screen.queryByText(messages.updated)).toBeNull()
  })

  it('are named by a server that saves one number at a time', async () => {
    const v1Server = await startV1Server(backend().app)
    await selectAndDelete(['15550001035', '15550001036'], ['15550001035'], { apiBaseUrl: v1Server.apiBaseUrl })
    await expectGone('15550001035')
    await expectText(messages.updated)
    expect((await findStoredNumber('15550001036'))?.application_sid).toBe(testData().acme.application)
    v1Server.close()
  })
})

describe('with a server that saves one number at a time', () => {
  it('changes the others after a failure, and keeps only the failed number selected', async () => {
    const { accounts, acme } = testData()
    for (const number of ['15550001011', '15550001012']) await addNumber(number, accounts.acme)
    const v1Server = await startV1Server(backend().app)
    const { user } = await render('/internal/phone-numbers', {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    for (const number of ['15550001011', '15550001012'])
      await user.click(await screen.findByLabelText(`Select ${number}`))
    // another user moves one of them to another account first
    const { phone_number_sid } = (await findStoredNumber('15550001011'))!
    await requestAs('north', 'PUT', `/PhoneNumbers/${phone_number_sid}`, { account_sid: accounts.bolt })
    await selectOption(user, 'Application', 'acme app')
    await user.click(screen.getByText('Apply'))
    await expectText('unknown application_sid')
    const row = within(screen.getByText('(555) 000-1012').closest('tr')!)
    expect(await row.findByText('acme app')).toBeTruthy()
    expect((await findStoredNumber('15550001012'))?.application_sid).toBe(acme.application)
    expect(screen.getByLabelText<HTMLInputElement>('Select 15550001012').checked).toBe(false)
    expect(screen.getByLabelText<HTMLInputElement>('Select 15550001011').checked).toBe(true)
    v1Server.close()
  })
})

describe('the form of a phone number', () => {
  it('adds a number over the chosen carrier and opens the list', async () => {
    const { user, currentPath } = await render('/internal/phone-numbers/add', { as: 'provider' })
    const number = await screen.findByLabelText(/Phone number/)
    // the hint shows the country and the missing digits while typing
    for (const [text, hint] of [
      ['', messages.internationalForm],
      ['+49 30', 'Germany, +49'],
      ['+999', messages.unknownCountryCode],
      ['+1 (555) 000', `${messages.northAmerica}, +1 – 4 digits missing`],
    ] as const) {
      fireEvent.change(number, { target: { value: text } })
      expect(await screen.findByText(hint)).toBeTruthy()
    }
    fireEvent.change(number, { target: { value: '' } })
    await pasteText(user, number, '+1 (555) 000-2001')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Application' }).disabled).toBe(true)
    await selectOption(user, 'Account', 'bolt')
    await selectOption(user, 'Application', 'bolt app')
    await selectOption(user, 'Carrier', 'North shared')
    await user.click(screen.getByText('Save'))
    await expectText(messages.added)
    expect(currentPath()).toBe('/internal/phone-numbers')
    expect(await findStoredNumber('15550002001')).toMatchObject({
      account_sid: testData().accounts.bolt,
      application_sid: testData().bolt.application,
      voip_carrier_sid: testData().shared.north.voip_carrier,
    })
  })

  it('marks a duplicate number at the field', async () => {
    await addNumber('15550003001', testData().accounts.acme)
    const { user, currentPath } = await render('/internal/phone-numbers/add', { as: 'provider' })
    const input = await screen.findByLabelText(/Phone number/)
    await user.click(screen.getByText('Save'))
    await expectText('Phone number is required.')
    await pasteText(user, input, '15550003001')
    await selectOption(user, 'Carrier', 'North shared')
    await user.click(screen.getByText('Save'))
    await expectText(messages.duplicateNumber)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(currentPath()).toBe('/internal/phone-numbers/add')
  })

  it('marks a duplicate number of another carrier too', async () => {
    await addNumber('15550003002', testData().accounts.acme)
    const { user } = await render('/internal/phone-numbers/add', { as: 'account' })
    const input = await screen.findByLabelText(/Phone number/)
    await pasteText(user, input, '+1 555 000 3002')
    await selectOption(user, 'Carrier', 'acme trunk')
    await user.click(screen.getByText('Save'))
    await expectText(messages.duplicateNumber)
    expect(input.getAttribute('aria-invalid')).toBe('true')
  })

  it('changes only account and application, and stays open', async () => {
    const editPath = `/internal/phone-numbers/${testData().bolt.phone_number}/edit`
    const { user, currentPath } = await render(editPath, { as: 'provider' })
    expect((await screen.findByLabelText<HTMLInputElement>(/Phone number/)).readOnly).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /Carrier/ }).disabled).toBe(true)
    await expectValue('Application', 'bolt app')
    await selectOption(user, 'Application', messages.chooseApplication)
    await user.click(screen.getByText('Save'))
    await expectText(messages.saved)
    expect(currentPath()).toBe(editPath)
    expect((await findStoredNumber('15550000012'))?.application_sid).toBeNull()
  })

  it('shows the name of a carrier even if the account has more than one page of them', async () => {
    for (let index = 0; index < 51; index++) await requestAs('acme', 'POST', '/VoipCarriers', { name: `a ${index}` })
    await addNumber('15550004001', testData().accounts.acme)
    const { phone_number_sid } = (await findStoredNumber('15550004001'))!
    await render(`/internal/phone-numbers/${phone_number_sid}/edit`, { as: 'account' })
    expect((await screen.findByRole('combobox', { name: /Carrier/ })).textContent).toBe('North shared')
  })

  it('requires a carrier first', async () => {
    const { corp, shared } = testData()
    await requestAs('corp', 'DELETE', `/PhoneNumbers/${corp.phone_number}`)
    for (const sid of [corp.voip_carrier, shared.south.voip_carrier])
      await requestAs('south', 'DELETE', `/VoipCarriers/${sid}`)
    await render('/internal/phone-numbers/add', { as: 'south' })
    expect(await screen.findByText(messages.needsCarrier)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Add carrier' }).getAttribute('href')).toBe('/internal/carriers/add')
  })
})
