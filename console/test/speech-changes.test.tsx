import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { describe, expect, it } from 'vitest'
import { input } from './form-inputs'
import { useBackend } from './render'
import { expectText, save } from './speech-form-actions'

const { render, ask, world, backend } = useBackend()

const make = async (body: object) => {
  const path = `/ServiceProviders/${world().providers.north}/SpeechCredentials`
  return (await ask<{ sid: string }>('north', 'POST', path, body)).sid
}

describe('speech services', () => {
  describe('with a changed URL', () => {
    const mill = { vendor: 'custom:press', auth_token: 'tokentoken', custom_tts_url: 'https://a.example.com/' }
    const other = 'https://b.example.com/'
    const open = async () => {
      const sid = await make({ ...mill, use_for_stt: 0, label: crypto.randomUUID() })
      const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
      const address = await input('TTS HTTP URL')
      const write = async (text: string) => {
        await user.clear(address)
        await user.click(address)
        await user.paste(text)
      }
      return { sid, user, write, token: () => screen.getByLabelText<HTMLInputElement>('Authentication token') }
    }

    it('require the secret again, unless the change is undone', async () => {
      const { sid, user, write, token } = await open()
      expect([token().readOnly, token().value]).toEqual([true, 'tokentXXXX'])
      await write(other)
      await waitFor(() => expect([token().readOnly, token().value]).toEqual([false, '']))
      expect(screen.getByText(messages.reenterHint)).toBeTruthy()
      await save(user)
      await expectText(messages.reenterSecret('Authentication token'))
      await waitFor(() => expect(document.activeElement).toBe(token()))
      await write(mill.custom_tts_url)
      await waitFor(() => expect([token().readOnly, token().value]).toEqual([true, 'tokentXXXX']))
      await write(other)
      await waitFor(() => expect(token().readOnly).toBe(false))
      await user.type(token(), mill.auth_token)
      await save(user)
      await expectText(messages.saved)
      await waitFor(() => expect([token().readOnly, token().value]).toEqual([true, 'tokentXXXX']))
      const opened = await backend().services.speechCredentials.decrypt(sid)
      expect(opened?.fields).toEqual({ auth_token: mill.auth_token, custom_tts_url: other })
    })

    it('refuse a different secret', async () => {
      const { user, write, token } = await open()
      await write(other)
      await waitFor(() => expect(token().readOnly).toBe(false))
      await user.type(token(), 'another')
      await save(user)
      await expectText(messages.immutable('Authentication token'))
    })
  })

  describe('of a user who has lost the permission to change them', () => {
    const own = async () => {
      const path = `/Accounts/${world().accounts.acme}/SpeechCredentials`
      const body = { vendor: 'soniox', api_key: 'k', label: crypto.randomUUID() }
      return { sid: (await ask<{ sid: string }>('account', 'POST', path, body)).sid, label: body.label }
    }
    /** Moves the credential to another account while it is on screen. */
    const moved = (sid: string) =>
      backend()
        .database.db.updateTable('speech_credentials')
        .set({ account_sid: world().accounts.bolt })
        .where('speech_credential_sid', '=', sid)
        .execute()

    it('are not changed, with an error message', async () => {
      const { sid } = await own()
      const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'account' })
      await user.click(await screen.findByLabelText('Use for speech-to-text'))
      await moved(sid)
      await save(user)
      await expectText(messages.mayNotChange)
    })

    it('are not deleted, with an error message', async () => {
      const { sid, label } = await own()
      const { user } = await render('/internal/speech-services', { as: 'account' })
      await user.click(await screen.findByLabelText(`Delete Soniox ${label}`))
      await moved(sid)
      await user.click(await screen.findByText('Delete'))
      await expectText(messages.mayNotRemove)
    })
  })

  it('are deleted even if applications use them, which the dialog lists', async () => {
    const sid = await make({
      vendor: 'verbio',
      client_id: 'i',
      client_secret: 's',
      engine_version: 'V1',
      label: 'gone',
    })
    const hook = { url: 'https://a.example.com/call' }
    const app = { account_sid: world().accounts.acme, call_hook: hook, call_status_hook: hook }
    const chosen = { speech_recognizer_vendor: 'verbio', speech_recognizer_label: 'gone' }
    const add = (name: string, more: object) =>
      ask<{ sid: string }>('admin', 'POST', '/Applications', { ...app, name, ...more })
    const { sid: desk } = await add('speaks by verbio', chosen)
    await add('speaks by another verbio', { ...chosen, speech_recognizer_label: 'other' })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await user.click(await screen.findByText('Delete'))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(await dialog.findByText(messages.usedByApplications)).toBeTruthy()
    expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      `/internal/applications/${desk}/edit`,
    ])
    await user.click(dialog.getByText('Delete'))
    await expectText(messages.removed('Verbio'))
  })
})
