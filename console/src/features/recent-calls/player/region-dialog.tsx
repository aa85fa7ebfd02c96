import type { Region } from './model/regions'
import { messages } from '@trunkline/contract/messages/recording'
import { Dialog } from '../../../ui/dialog/dialog'
import { getRegionDetails } from './region-text'
import css from './player.module.css'

/** The details of a region of a recording. */
export const RegionDialog = ({ region, onClose }: { region: Region | undefined; onClose: () => void }) => {
  if (!region) return null
  return (
    <Dialog opened onClose={onClose} title={messages.kinds[region.event.kind]} width="narrow">
      <dl className={css.details} data-tone={region.event.kind}>
        {getRegionDetails(region).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
