import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages as form } from '@trunkline/contract/messages/form'
import { beforeAll, describe, expect, it } from 'vitest'
import { password } from '../../server/test/test-data'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

/** Compiles the screens before the tests, so that they do not time out on a busy machine. */
beforeAll(async () => {
  const testedScreens = screens.filter(({ path }) =>
    /^\/internal\/(accounts|applications|carriers|settings)/.test(path),
  )
  await Promise.all(testedScreens.map(({ load }) => load()))
})

const restoredMessage = 'Your unsaved changes from before your session ended are restored. Save to keep them.'
const expiredMessage = 'Your session has expired. Please log in and try again.'

const logIn = async (user: UserEvent, name: string) => {
  await user.type(await screen.findByLabelText('Username'), name)
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}
const findNameField = () => screen.findByLabelText<HTMLInputElement>(/^Account name/)

/** Types into the account form and saves it with an invalid token. */
const loseSession = async () => {
  const path = `/internal/accounts/${testData().accounts.corp}/edit`
  const { user, currentPath } = await render(path, { as: 'south' })
  const field = await findNameField()
  await waitFor(() => expect(field.value).toBe('corp'))
  await user.type(field, ' and sons')
  localStorage.setItem('token', `${localStorage.getItem('token')}x`)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(expiredMessage)).toBeTruthy()
  expect(currentPath()).toBe('/')
  return { user, currentPath, path }
}

describe('unsaved changes at the end of a session', () => {
  it('are restored with a warning if somebody else has saved the record meanwhile', async () => {
    const sid = testData().corp.voip_carrier
    const path = `/internal/carriers/${sid}/edit`
    const { user, currentPath } = await render(path, { as: 'south' })
    const findAddressField = async () =>
      within(await screen.findByLabelText('SIP gateway 1')).getByLabelText<HTMLInputElement>('Address')
    // type key by key: the form ignores changes right after it is rendered
    const field = await findAddressField()
    await user.clear(field)
    await user.type(field, '198.51.100.77')
    localStorage.setItem('token', `${localStorage.getItem('token')}x`)
    await user.click(screen.getByText('Save'))
    expect(await screen.findByText(expiredMessage)).toBeTruthy()
    await requestAs('south', 'POST', '/SipGateways', {
      voip_carrier_sid: sid,
      ipv4: '198.51.100.99',
      inbound: 1,
      outbound: 1,
    })
    await logIn(user, 'south')
    expect(await screen.findByText(form.restoredOver)).toBeTruthy()
    expect(await screen.findByText(form.fieldConflict)).toBeTruthy()
    expect(currentPath()).toBe(path)
    expect((await findAddressField()).value).toBe('198.51.100.77')
    expect(screen.queryByLabelText('SIP gateway 2')).toBeNull()
    // nothing has been saved yet
    const storedGateways = await requestAs<{ ipv4: string }[]>('south', 'GET', `/SipGateways?voip_carrier_sid=${sid}`)
    expect(storedGateways.map(({ ipv4 }) => ipv4)).toContain('198.51.100.99')
  })

  it("are restored for the same user, and are never in the browser's storage", async () => {
    const { user, currentPath, path } = await loseSession()
    expect(localStorage).toHaveLength(0)
    expect(sessionStorage).toHaveLength(0)
    await logIn(user, 'south')
    expect(await screen.findByText(restoredMessage)).toBeTruthy()
    expect(currentPath()).toBe(path)
    expect((await findNameField()).value).toBe('corp and sons')
    // the form counts as changed, so the leave guard opens
    await user.click(screen.getByRole('link', { name: 'Applications' }))
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeTruthy()
  })

  /** Makes the token invalid, so that the next request ends the session. */
  const invalidateToken = () => localStorage.setItem('token', `${localStorage.getItem('token')}x`)

  it('of a duplicate are restored together with the copied values', async () => {
    const sid = testData().corp.application
    const path = `/internal/applications/add?copy=${sid}`
    const { user, currentPath } = await render(path, { as: 'south' })
    const findWebhookField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Calling webhook/ })
    const copiedUrl = (await findWebhookField()).value
    expect(copiedUrl).toMatch(/^https:/)
    const name = () => screen.findByLabelText<HTMLInputElement>(/^Application name/)
    await user.type(await name(), ' again')
    const typedName = (await name()).value
    invalidateToken()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(expiredMessage)).toBeTruthy()
    await logIn(user, 'south')
    expect(await screen.findByText(restoredMessage)).toBeTruthy()
    expect(currentPath()).toBe(path)
    expect((await name()).value).toBe(typedName)
    expect((await findWebhookField()).value).toBe(copiedUrl)
  })

  it('of the settings are restored on the same tab', async () => {
    const { user, currentPath } = await render('/internal/settings', { as: 'admin' })
    await user.click(await screen.findByRole('tab', { name: 'Service provider' }))
    const name = () => screen.findByLabelText<HTMLInputElement>(/^Service provider name/)
    await user.type(await name(), ' and more')
    const typedName = (await name()).value
    invalidateToken()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(expiredMessage)).toBeTruthy()
    await logIn(user, 'admin')
    expect(await screen.findByText(restoredMessage)).toBeTruthy()
    expect(currentPath()).toBe('/internal/settings?tab=provider')
    expect((await name()).value).toBe(typedName)
  })

  it('in a dialog are restored together with those of the form behind it', async () => {
    const path = `/internal/accounts/${testData().accounts.corp}/edit`
    const { user, currentPath } = await render(path, { as: 'admin' })
    await user.type(await findNameField(), ' et al')
    await user.click(screen.getByRole('button', { name: 'Add service provider' }))
    const findDialog = async () => within(await screen.findByRole('dialog', { name: 'Add service provider' }))
    await user.type((await findDialog()).getByLabelText(/Name/), 'Westwind')
    invalidateToken()
    await user.click((await findDialog()).getByRole('button', { name: 'Add' }))
    expect(await screen.findByText(expiredMessage)).toBeTruthy()
    await logIn(user, 'admin')
    expect(await screen.findByText(restoredMessage)).toBeTruthy()
    expect(currentPath()).toBe(path)
    expect((await findDialog()).getByLabelText<HTMLInputElement>(/Name/).value).toBe('Westwind')
    const field = await findNameField()
    await waitFor(() => expect(field.value).toBe('corp et al'))
  })

  it('are neither shown to another user nor kept for later', async () => {
    const { user, currentPath } = await loseSession()
    await logIn(user, 'admin')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    await user.click(await screen.findByRole('button', { name: 'Sign out', hidden: true }))
    await logIn(user, 'south')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    await user.click(await screen.findByRole('link', { name: 'Edit corp' }))
    expect((await findNameField()).value).toBe('corp')
    expect(screen.queryByText(restoredMessage)).toBeNull()
  })

  it('are discarded on sign-out', async () => {
    const { user, currentPath } = await render(`/internal/accounts/${testData().accounts.corp}/edit`, { as: 'south' })
    await user.type(await findNameField(), '!')
    await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }))
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await logIn(user, 'south')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
  })
})

describe('the save bar', () => {
  it('counts the changed fields, and leads to the first', async () => {
    const { user } = await render(`/internal/accounts/${testData().accounts.corp}/edit`, { as: 'south' })
    const field = await findNameField()
    await waitFor(() => expect(field.value).toBe('corp'))
    expect(screen.queryByRole('button', { name: /changed$/ })).toBeNull()
    await user.type(field, '!')
    const changes = await screen.findByRole('button', { name: '1 field changed' })
    expect(changes.title).toBe('Account name')
    await user.click(changes)
    expect(document.activeElement).toBe(field)
    await user.type(field, '{Backspace}')
    await waitFor(() => expect(screen.queryByRole('button', { name: /changed$/ })).toBeNull())
  })
})

describe('keyboard shortcuts', () => {
  it('are listed by the question mark, the palette and the user menu', async () => {
    const { user } = await render('/internal/accounts', { as: 'provider' })
    const findShortcutsDialog = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    await screen.findByRole('row', { name: /acme/ })
    await user.keyboard('?')
    expect((await findShortcutsDialog()).textContent).toContain('Save the form')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: /User menu/ }))
    await user.click(await screen.findByRole('button', { name: 'Keyboard shortcuts', hidden: true }))
    await findShortcutsDialog()
    await user.keyboard('{Escape}')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'shortc')
    await user.keyboard('{Enter}')
    await findShortcutsDialog()
  })

  it('focus the filter, and are plain letters inside it', async () => {
    const { user } = await render('/internal/accounts', { as: 'admin' })
    const filter = await screen.findByRole<HTMLInputElement>('searchbox')
    await user.keyboard('/')
    expect(document.activeElement).toBe(filter)
    await user.keyboard('a?/')
    expect(filter.value).toBe('a?/')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('save the form, and leave Ctrl+S to the browser if there is none', async () => {
    const { user } = await render(`/internal/accounts/${testData().accounts.bolt}/edit`, { as: 'admin' })
    await user.type(await findNameField(), ' works')
    expect(fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })).toBe(false)
    expect(await screen.findByText('Account updated successfully')).toBeTruthy()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull())
    await user.click(screen.getByRole('link', { name: 'Applications' }))
    await screen.findByRole('heading', { level: 1, name: /Applications/ })
    expect(fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })).toBe(true)
  })

  it('save changes that are made during a save', async () => {
    const { accounts } = testData()
    await render(`/internal/accounts/${accounts.bolt}/edit`, { as: 'admin' })
    const field = await findNameField()
    const typeName = (value: string) => fireEvent.change(field, { target: { value } })
    const save = () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })
    typeName('bolt one')
    save()
    typeName('bolt two')
    save()
    const name = async () => (await requestAs<{ name: string }>('admin', 'GET', `/Accounts/${accounts.bolt}`)).name
    await waitFor(async () => expect(await name()).toBe('bolt two'))
    expect(field.value).toBe('bolt two')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull())
  })
})
