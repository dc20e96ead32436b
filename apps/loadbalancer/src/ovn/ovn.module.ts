import { Feature } from '@cumulet/common/service/feature';
import { balancersProvider } from '../network/networks.port.js';
import { OvnBalancers } from './ovn-balancers.js';
import { OvnComparison } from './ovn-comparison.sweep.js';
import { OvnFiguresSweep } from './ovn-figures.sweep.js';

@Feature({
  providers: [balancersProvider, OvnBalancers, OvnComparison, OvnFiguresSweep],
})
export class OvnModule {}
