import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import { Suspense } from 'react'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import type { RemoveOptions } from '../../kit/record/remove-dialog'

/** Loaded with the first deletion. */
const LazyDependentApplications = lazyComponent(() =>
  import('./dependent-applications').then((module) => module.DependentApplications),
)

/** The deletion of a speech service. */
export const serviceRemoval: RemoveOptions<SpeechCredential> = {
  removedMessage: ({ vendor }) => messages.removed(getVendorName(vendor)),
  note: (row) => (
    <Suspense>
      <LazyDependentApplications row={row} />
    </Suspense>
  ),
  refusalMessage: (_, { status }) => (status === 403 ? messages.mayNotRemove : undefined),
}
