import { Feature } from '@cumulet/common/service/feature';
import { balancersProvider } from './balancers.port.js';
import { OvnBalancers } from './ovn-balancers.js';
import { OvnComparison } from './ovn-comparison.sweep.js';
import { OvnFiguresSweep } from './ovn-figures.sweep.js';
import { OvnOffer } from './ovn-offer.js';

@Feature({
  providers: [balancersProvider, OvnBalancers, OvnComparison, OvnFiguresSweep, OvnOffer],
})
export class OvnModule {}
