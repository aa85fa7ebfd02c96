import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { describe, expect, it } from 'vitest'
import { findInput } from './form-inputs'
import { useBackend } from './render'
import { expectText, clickSave } from './speech-form-actions'

const { render, requestAs, testData, backend } = useBackend()

const addService = async (body: object) => {
  const path = `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
  return (await requestAs<{ sid: string }>('north', 'POST', path, body)).sid
}

describe('speech services', () => {
  describe('with a changed URL', () => {
    const customVendor = { vendor: 'custom:press', auth_token: 'tokentoken', custom_tts_url: 'https://a.example.com/' }
    const otherUrl = 'https://b.example.com/'
    const openForm = async () => {
      const sid = await addService({ ...customVendor, use_for_stt: 0, label: crypto.randomUUID() })
      const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
      const urlField = await findInput('TTS HTTP URL')
      const replaceUrl = async (text: string) => {
        await user.clear(urlField)
        await user.click(urlField)
        await user.paste(text)
      }
      return {
        sid,
        user,
        replaceUrl,
        tokenField: () => screen.getByLabelText<HTMLInputElement>('Authentication token'),
      }
    }

    it('require the secret again, unless the change is undone', async () => {
      const { sid, user, replaceUrl, tokenField } = await openForm()
      expect([tokenField().readOnly, tokenField().value]).toEqual([true, 'tokentXXXX'])
      await replaceUrl(otherUrl)
      await waitFor(() => expect([tokenField().readOnly, tokenField().value]).toEqual([false, '']))
      expect(screen.getByText(messages.reenterHint)).toBeTruthy()
      await clickSave(user)
      await expectText(messages.reenterSecret('Authentication token'))
      await waitFor(() => expect(document.activeElement).toBe(tokenField()))
      await replaceUrl(customVendor.custom_tts_url)
      await waitFor(() => expect([tokenField().readOnly, tokenField().value]).toEqual([true, 'tokentXXXX']))
      await replaceUrl(otherUrl)
      await waitFor(() => expect(tokenField().readOnly).toBe(false))
      await user.type(tokenField(), customVendor.auth_token)
      await clickSave(user)
      await expectText(messages.saved)
      await waitFor(() => expect([tokenField().readOnly, tokenField().value]).toEqual([true, 'tokentXXXX']))
      const decrypted = await backend().services.speechCredentials.decrypt(sid)
      expect(decrypted?.fields).toEqual({ auth_token: customVendor.auth_token, custom_tts_url: otherUrl })
    })

    it('refuse a different secret', async () => {
      const { user, replaceUrl, tokenField } = await openForm()
      await replaceUrl(otherUrl)
      await waitFor(() => expect(tokenField().readOnly).toBe(false))
      await user.type(tokenField(), 'another')
      await clickSave(user)
      await expectText(messages.immutable('Authentication token'))
    })
  })

  describe('of a user who has lost the permission to change them', () => {
    const addOwnService = async () => {
      const path = `/Accounts/${testData().accounts.acme}/SpeechCredentials`
      const body = { vendor: 'soniox', api_key: 'k', label: crypto.randomUUID() }
      return { sid: (await requestAs<{ sid: string }>('account', 'POST', path, body)).sid, label: body.label }
    }
    /** Moves the credential to another account while it is on screen. */
    const moveToOtherAccount = (sid: string) =>
      backend()
        .database.db.updateTable('speech_credentials')
        .set({ account_sid: testData().accounts.bolt })
        .where('speech_credential_sid', '=', sid)
        .execute()

    it('are not changed, with an error message', async () => {
      const { sid } = await addOwnService()
      const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'account' })
      await user.click(await screen.findByLabelText('Use for speech-to-text'))
      await moveToOtherAccount(sid)
      await clickSave(user)
      await expectText(messages.mayNotChange)
    })

    it('are not deleted, with an error message', async () => {
      const { sid, label } = await addOwnService()
      const { user } = await render('/internal/speech-services', { as: 'account' })
      await user.click(await screen.findByLabelText(`Delete Soniox ${label}`))
      await moveToOtherAccount(sid)
      await user.click(await screen.findByText('Delete'))
      await expectText(messages.mayNotRemove)
    })
  })

  it('are deleted even if applications use them, which the dialog lists', async () => {
    const sid = await addService({
      vendor: 'verbio',
      client_id: 'i',
      client_secret: 's',
      engine_version: 'V1',
      label: 'gone',
    })
    const webhook = { url: 'https://a.example.com/call' }
    const applicationDraft = { account_sid: testData().accounts.acme, call_hook: webhook, call_status_hook: webhook }
    const recognizer = { speech_recognizer_vendor: 'verbio', speech_recognizer_label: 'gone' }
    const addApplication = (name: string, overrides: object) =>
      requestAs<{ sid: string }>('admin', 'POST', '/Applications', { ...applicationDraft, name, ...overrides })
    const { sid: dependentSid } = await addApplication('speaks by verbio', recognizer)
    await addApplication('speaks by another verbio', { ...recognizer, speech_recognizer_label: 'other' })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await user.click(await screen.findByText('Delete'))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(await dialog.findByText(messages.usedByApplications)).toBeTruthy()
    expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      `/internal/applications/${dependentSid}`,
    ])
    await user.click(dialog.getByText('Delete'))
    await expectText(messages.removed('Verbio'))
  })
})
