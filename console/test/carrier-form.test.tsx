import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { messages as form } from '@trunkline/contract/messages/form'
import { messages as general } from '@trunkline/contract/messages/general'
import { describe, expect, it } from 'vitest'
import { readLabels } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend({ minimumNetmask: 24 })

const gatewayRow = (index: number) => within(screen.getByLabelText(`SIP gateway ${index}`))

const replaceText = async (user: UserEvent, input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
  await user.tab()
}

const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })

const save = (user: UserEvent) => user.click(screen.getByText('Save'))

const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))

const listCarriers = () => requestAs<VoipCarrier[]>('north', 'GET', '/VoipCarriers')
const findCarrier = async (name: string) => (await listCarriers()).find((row) => row.name === name)
const listSmppGateways = (sid: string) => requestAs<object[]>('north', 'GET', `/SmppGateways?voip_carrier_sid=${sid}`)
const listSipGateways = (sid: string) => requestAs<SipGateway[]>('north', 'GET', `/SipGateways?voip_carrier_sid=${sid}`)

describe('adding a carrier', () => {
  it('creates a predefined carrier and opens it', async () => {
    const { user, currentPath } = await render('/internal/carriers/add', { as: 'provider' })
    await user.click(await screen.findByRole('combobox', { name: 'Predefined carrier' }))
    await user.click(await findOption('Twilio'))
    await expectText(messages.added)
    expect(await screen.findByRole('heading', { level: 1, name: 'Edit carrier' })).toBeTruthy()
    const createdCarrier = await findCarrier('Twilio')
    await waitFor(() => expect(currentPath()).toBe(`/internal/carriers/${createdCarrier?.voip_carrier_sid}/edit`))
    expect(createdCarrier?.account_sid).toBeNull()
    // the gateway has a placeholder for the customer's domain, which must be replaced
    await expectText(`${messages.gateway.invalidAddress} ${messages.gateway.replacePlaceholder('<your-domain>')}`)
    expect(gatewayRow(1).getByLabelText<HTMLInputElement>('Address').value).not.toBe('')
  })

  it('shows the name first, then the predefined carriers', async () => {
    await render('/internal/carriers/add', { as: 'provider' })
    await screen.findByLabelText(/Carrier name/)
    const fields = readLabels(screen.getByRole('main'))
    expect(fields.slice(0, 3)).toEqual(['Carrier name *', 'Predefined carrier', 'Active'])
  })

  it('creates a carrier of the account for an account user', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'bolt' })
    await user.click(await screen.findByRole('combobox', { name: 'Predefined carrier' }))
    await user.click(await findOption('Simwood'))
    await expectText(messages.added)
    expect((await findCarrier('Simwood'))?.account_sid).toBe(testData().accounts.bolt)
  })

  it('creates a carrier with two gateways', async () => {
    const { user, currentPath } = await render('/internal/carriers/add', { as: 'provider' })
    await replaceText(user, await screen.findByLabelText(/Carrier name/), ' By hand ')
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), '198.51.100.20')
    expect(gatewayRow(1).getByLabelText<HTMLInputElement>('Port').value).toBe('5060')
    await user.click(screen.getByText('Add SIP gateway'))
    await replaceText(user, gatewayRow(2).getByLabelText('Address'), 'sip.example.com')
    expect(gatewayRow(2).getByLabelText<HTMLInputElement>('Netmask').disabled).toBe(true)
    expect(gatewayRow(2).getByLabelText<HTMLInputElement>('Port').value).toBe('')
    await user.click(gatewayRow(2).getByLabelText('Inbound'))
    await user.click(gatewayRow(2).getByLabelText('Outbound'))
    await user.selectOptions(gatewayRow(2).getByLabelText('Protocol'), 'tls')
    await user.click(screen.getByLabelText('More settings of SIP gateway 2'))
    await user.click(gatewayRow(2).getByLabelText('Send OPTIONS ping'))
    await save(user)
    await expectText(messages.added)
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    const createdCarrier = await findCarrier('By hand')
    expect(createdCarrier).toMatchObject({ is_active: 1, account_sid: null, tech_prefix: null, e164_leading_plus: 0 })
    expect(await listSipGateways(createdCarrier!.voip_carrier_sid)).toEqual([
      expect.objectContaining({
        ipv4: '198.51.100.20',
        port: 5060,
        netmask: 32,
        inbound: 1,
        outbound: 0,
        protocol: 'udp',
      }),
      expect.objectContaining({
        ipv4: 'sip.example.com',
        port: null,
        inbound: 0,
        outbound: 1,
        protocol: 'tls',
        send_options_ping: 1,
      }),
    ])
  })

  it('shows gateway errors below their row, and removes them once fixed', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await screen.findByLabelText(/Carrier name/)
    await save(user)
    await expectText('Carrier name is required.')
    expect(screen.getByText(messages.gateway.invalidAddress)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Carrier name/)))
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), 'sip.example.com')
    await expectText(messages.gateway.fqdnOutboundOnly)
    const addressField = gatewayRow(1).getByLabelText('Address')
    expect(addressField.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(addressField.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      messages.gateway.fqdnOutboundOnly,
    )
    await user.click(gatewayRow(1).getByLabelText('Inbound'))
    await expectText(messages.gateway.noDirection)
    await user.click(gatewayRow(1).getByLabelText('Outbound'))
    await waitFor(() => expect(screen.queryByText(messages.gateway.noDirection)).toBeNull())
    expect(await findCarrier('')).toBeUndefined()
  })

  it('validates gateways against each other', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await replaceText(user, await screen.findByLabelText(/Carrier name/), 'No gateways')
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), '198.51.100.50')
    await user.click(screen.getByText('Add SIP gateway'))
    await replaceText(user, gatewayRow(2).getByLabelText('Address'), '198.51.100.50')
    await expectText(messages.gateway.duplicate)
    await replaceText(user, gatewayRow(2).getByLabelText('Port'), '70000')
    await expectText(messages.gateway.invalidPort(65535))
    for (const index of [2, 1]) await user.click(screen.getByLabelText(`Delete SIP gateway ${index}`))
    await save(user)
    await expectText(messages.gateway.atLeastOne)
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Add SIP gateway'))
    expect(await findCarrier('No gateways')).toBeUndefined()
  })

  it('validates the fields of the carrier', async () => {
    const { user } = await render('/internal/carriers/add', { as: 'provider' })
    await replaceText(user, await screen.findByLabelText('Tech prefix'), '12')
    await expectText(messages.shortTechPrefix(3))
    await user.click(screen.getByRole('button', { name: /^Outbound authentication/ }))
    await replaceText(user, screen.getByLabelText('Auth username'), 'me')
    await save(user)
    await expectText(messages.incompleteAuth)
    await user.click(screen.getByRole('button', { name: /^Registration/ }))
    await user.click(screen.getByLabelText('Require SIP Register'))
    await save(user)
    await expectText('SIP realm is required.')
    expect(screen.getByText('Auth password is required.')).toBeTruthy()
  })
})

describe('a gateway that the server refuses', () => {
  it('is marked on its row, and nothing is created until it is fixed', async () => {
    const { user, currentPath } = await render('/internal/carriers/add', { as: 'provider' })
    await replaceText(user, await screen.findByLabelText(/Carrier name/), 'All or nothing')
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), '198.51.100.30')
    await user.click(screen.getByText('Add SIP gateway'))
    await replaceText(user, gatewayRow(2).getByLabelText('Address'), '198.51.100.31')
    await replaceText(user, gatewayRow(2).getByLabelText('Netmask'), '16')
    await save(user)
    await expectText('netmask required to have value equal or greater than 24')
    await waitFor(() => expect(document.activeElement).toBe(gatewayRow(2).getByLabelText('Netmask')))
    expect(currentPath()).toBe('/internal/carriers/add')
    expect(await findCarrier('All or nothing')).toBeUndefined()

    await replaceText(user, gatewayRow(2).getByLabelText('Netmask'), '28')
    await save(user)
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    const storedGateways = await listSipGateways((await findCarrier('All or nothing'))!.voip_carrier_sid)
    expect(storedGateways.map(({ ipv4, netmask }) => [ipv4, netmask])).toEqual([
      ['198.51.100.30', 32],
      ['198.51.100.31', 28],
    ])
  })
})

it('saves a trunk that authenticates with a password, without inbound gateways', async () => {
  const { user, currentPath } = await render('/internal/carriers/add', { as: 'provider' })
  await replaceText(user, await screen.findByLabelText(/Carrier name/), 'By password')
  await user.click(screen.getByRole('button', { name: /^Trunk/ }))
  await user.click(screen.getByRole('combobox', { name: 'Trunk type', hidden: true }))
  await user.click(await findOption(messages.trunk.auth))
  await save(user)
  await expectText(messages.incompleteInboundAuth)
  await replaceText(user, screen.getByLabelText('Inbound username'), 'them')
  await replaceText(user, screen.getByLabelText('Inbound password'), 'secret')
  await save(user)
  await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
  const createdCarrier = await findCarrier('By password')
  expect(createdCarrier).toMatchObject({
    trunk_type: 'auth',
    inbound_auth_username: 'them',
    inbound_auth_password: 'secret',
    requires_register: 0,
  })
  expect(await listSipGateways(createdCarrier!.voip_carrier_sid)).toEqual([])
})

describe('the SMS tab', () => {
  const smppGatewayRow = (name: string) => within(screen.getByLabelText(name))
  const smppSection = (name: string) => within(screen.getByLabelText(name))
  const isTabSelected = (tab: string) => screen.getByText(tab).getAttribute('aria-selected') === 'true'

  it('opens if it has an error, and is saved with the carrier', async () => {
    const { user, currentPath } = await render('/internal/carriers/add', { as: 'provider' })
    await replaceText(user, await screen.findByLabelText(/Carrier name/), 'For messages')
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), '198.51.100.61')
    await user.click(screen.getByText('SMS'))
    await replaceText(user, smppSection('Outbound SMPP').getByLabelText('System ID'), 'me')
    await user.click(screen.getByText('Add inbound gateway'))
    await replaceText(user, smppGatewayRow('Inbound gateway 1').getByLabelText('IP address'), '192.0.2.40')
    await user.click(screen.getByText('Voice'))
    await save(user)
    await expectText(messages.smpp.atLeastOneOutbound)
    await expectText('Password is required.')
    expect(isTabSelected('SMS')).toBe(true)
    await replaceText(user, smppSection('Inbound SMPP').getByLabelText(/^Password/), 'secret')
    await user.click(screen.getByText('Add outbound gateway'))
    await replaceText(user, smppGatewayRow('Outbound gateway 1').getByLabelText('Address'), 'smpp.example.com')
    await user.click(smppGatewayRow('Outbound gateway 1').getByLabelText('Use TLS'))
    await save(user)
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    const createdCarrier = await findCarrier('For messages')
    expect(createdCarrier).toMatchObject({ smpp_system_id: 'me', smpp_inbound_password: 'secret' })
    expect(await listSmppGateways(createdCarrier!.voip_carrier_sid)).toMatchObject([
      { ipv4: '192.0.2.40', netmask: 32, inbound: 1, outbound: 0 },
      { ipv4: 'smpp.example.com', port: 2775, use_tls: 1, inbound: 0, outbound: 1 },
    ])
  })

  it('deletes a gateway at once, but the last outbound one only on save and with a warning', async () => {
    const createdCarrier = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'To be emptied',
      smpp_system_id: 'me',
      smpp_inbound_password: 'secret',
      sip_gateways: [{ ipv4: '192.0.2.1', inbound: 1, outbound: 0 }],
      smpp_gateways: [{ ipv4: 'smpp.example.com' }, { ipv4: '192.0.2.40', inbound: 1, outbound: 0 }],
    })
    const { user } = await render(`/internal/carriers/${createdCarrier.sid}/edit`, { as: 'provider' })
    await user.click(await screen.findByText('SMS'))
    await user.click(screen.getByLabelText('Delete Outbound gateway 1'))
    await expectText(messages.smpp.atLeastOneOutbound)
    await user.click(screen.getByLabelText('Delete Inbound gateway 1'))
    await expectText(messages.smppGatewayRemoved('inbound'))
    await replaceText(user, smppSection('Outbound SMPP').getByLabelText('System ID'), '')
    await save(user)
    await expectText(messages.smppGatewayRemoved('outbound'))
    expect(await listSmppGateways(createdCarrier.sid)).toEqual([])
    // the unchanged secret is kept
    expect((await findCarrier('To be emptied'))?.smpp_inbound_password).toBe('secret')
  })
})

describe('two users who save the same carrier', () => {
  it('lose nothing: the second gets an error, sees the stored changes, and keeps unsaved ones', async () => {
    const { bolt } = testData()
    const carrierPath = `/VoipCarriers/${bolt.voip_carrier}`
    const { user } = await render(`/internal/carriers/${bolt.voip_carrier}/edit`, { as: 'provider' })
    await replaceText(user, await screen.findByLabelText('Tech prefix'), '4471')
    await replaceText(user, screen.getByLabelText('SIP Diversion header'), '+1')
    await requestAs('bolt', 'PUT', carrierPath, { diversion: '+2', e164_leading_plus: 1 })
    await save(user)
    await expectText(`${messages.changedMeanwhile} ${form.inputKept}`)
    await expectText(form.fieldConflict)
    const fieldValue = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
    expect([fieldValue('Tech prefix'), fieldValue('SIP Diversion header')]).toEqual(['4471', '+1'])
    expect(screen.getByLabelText<HTMLInputElement>('E.164 syntax').checked).toBe(true)
    expect(await requestAs('bolt', 'GET', carrierPath)).toMatchObject({
      diversion: '+2',
      tech_prefix: null,
      e164_leading_plus: 1,
    })
    await save(user)
    await expectText(messages.saved)
    expect(await requestAs('bolt', 'GET', carrierPath)).toMatchObject({
      diversion: '+1',
      tech_prefix: '4471',
      e164_leading_plus: 1,
    })
  })
})

describe('editing a carrier', () => {
  it('saves the changes and stays on the screen', async () => {
    const { acme } = testData()
    const editPath = `/internal/carriers/${acme.voip_carrier}/edit`
    const { user, currentPath } = await render(editPath, { as: 'provider' })
    await replaceText(user, await screen.findByLabelText('Tech prefix'), '4471#')
    await user.click(screen.getByText('Add SIP gateway'))
    await replaceText(user, gatewayRow(2).getByLabelText('Address'), '198.51.100.40')
    await user.click(screen.getByLabelText('Delete SIP gateway 1'))
    await save(user)
    await expectText(messages.saved)
    await expectText(messages.gatewayRemoved)
    expect(currentPath()).toBe(editPath)
    const [firstGateway, secondGateway] = await listSipGateways(acme.voip_carrier)
    expect(firstGateway).toMatchObject({ ipv4: '198.51.100.40' })
    expect(secondGateway).toBeUndefined()
    expect((await findCarrier('acme trunk'))?.tech_prefix).toBe('4471#')
  })

  it('shows a shared carrier read-only to an account user', async () => {
    const { shared } = testData()
    await render(`/internal/carriers/${shared.north.voip_carrier}/edit`, { as: 'account' })
    expect(await screen.findByText(general.mayNotChange('Carrier'))).toBeTruthy()
    expect(screen.queryByText('Save')).toBeNull()
    expect(gatewayRow(1).getByLabelText<HTMLInputElement>('Address').readOnly).toBe(true)
    expect(screen.queryByText('Add SIP gateway')).toBeNull()
  })

  it('refuses a foreign carrier', async () => {
    await render(`/internal/carriers/${testData().bolt.voip_carrier}/edit`, { as: 'account' })
    await expectText('You do not have access to this resource')
  })
})
