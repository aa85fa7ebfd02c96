import { createSmtpMail } from '../src/adapters/mail/smtp'
import type { HostedEdition } from '../src/config/hosted-edition'
import { defaultServiceProviderSid } from '../src/db/seed-data'
import { createApiClient, type ApiClient, type ApiResponse } from './api-client'
import { startBackend, type Backend, type BackendOptions } from './backend'
import { startMailbox, type Mailbox } from '../../scripts/launch/mailbox'
import { hostedEdition } from './hosted-edition'

export const rootDomain = 'sip.example.com'
export const publicUrl = 'https://voice.example.com'

/** The part of the response to a registration that confirms its address. */
interface Registration {
  jwt: string
  user_sid: string
}

/** A backend with the hosted edition, a mailbox, and a provider of new accounts. */
export interface HostedBackend extends Backend {
  mailbox: Mailbox
  serviceProviderSid: string
  anonymousClient: ApiClient
  /** Sends a registration, with valid values for the fields that are not in `fields`. */
  register: (email: string, fields?: object, client?: ApiClient) => Promise<ApiResponse>
  /** The code in the latest mail to an address. `count` mails must have arrived. */
  readCode: (email: string, count?: number) => Promise<string>
  /** Sends a code that confirms the address of a registration. */
  enterCode: (registration: Registration, code: string) => Promise<ApiResponse>
  /** Registers and confirms the address. Returns a client of the new user, and the response to the registration. */
  registerUser: (email: string) => Promise<{ client: ApiClient; registration: ApiResponse['body'] }>
}

export const newPassword = 'Another-horse-2'

interface HostedOptions extends BackendOptions {
  edition?: Partial<HostedEdition>
}

export const startHostedBackend = async ({
  edition = {},
  config = {},
  externalServices = {},
  ...options
}: HostedOptions = {}): Promise<HostedBackend> => {
  const mailbox = await startMailbox()
  const mail = createSmtpMail({ url: mailbox.url, from: 'Trunkline <no-reply@example.com>' })
  const serviceProviderSid = defaultServiceProviderSid
  const backend = await startBackend({
    ...options,
    config: {
      publicUrl,
      ...config,
      hostedEdition: { ...hostedEdition, serviceProviderSid, ...edition },
    },
    externalServices: { mail, ...externalServices },
  })
  await backend.database.db
    .updateTable('service_providers')
    .set({ root_domain: rootDomain })
    .where('service_provider_sid', '=', serviceProviderSid)
    .execute()
  const anonymousClient = createApiClient(backend.app)

  const register = (email: string, fields: object = {}, client = anonymousClient) =>
    client('POST', '/register', {
      provider: 'local',
      service_provider_sid: serviceProviderSid,
      email,
      password: newPassword,
      email_activation_code: '111111',
      ...fields,
    })
  const readCode = async (email: string, count = 1) => {
    const { mail: message } = await mailbox.waitForMail(email, count)
    const code = /^\d{6}$/m.exec(message.text ?? '')?.[0]
    if (!code) throw new Error(`no code in: ${message.text}`)
    return code
  }

  const enterCode = ({ jwt, user_sid }: Registration, code: string) =>
    createApiClient(backend.app, jwt)('PUT', `/ActivationCode/${code}`, { user_sid, type: 'email' })

  return {
    ...backend,
    mailbox,
    serviceProviderSid,
    anonymousClient,
    register,
    readCode,
    enterCode,
    async registerUser(email) {
      const { body: registration } = await register(email)
      const { status } = await enterCode(registration, await readCode(email))
      if (status !== 204) throw new Error(`${email} could not be confirmed: ${status}`)
      return { client: createApiClient(backend.app, registration.jwt), registration }
    },
    close: async () => {
      await backend.close()
      mail.close()
      await mailbox.close()
    },
  }
}
