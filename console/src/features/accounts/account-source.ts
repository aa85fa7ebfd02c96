import { accountsOfProvider } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { createListSource, type ListSource } from '../../kit/record/record'

/** The accounts of a provider. */
export const createAccountSource = (service_provider_sid: string): ListSource<Account> =>
  createListSource(accountsOfProvider, { service_provider_sid })
